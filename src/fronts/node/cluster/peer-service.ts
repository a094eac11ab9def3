import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import type { MaybePromise } from "../../../core/http/maybe-promise.ts";
import { Answering } from "./answering.ts";
import { Channel } from "./channel.ts";
import type { Answer, Errand, Question, Reach } from "./messages.ts";

/** What a worker does for the others. */
export interface PeerServices {
  /** Does not reject. */
  readonly answer: (call: Call, reach: Reach) => MaybePromise<Exchange>;
  /** Does not reject. */
  readonly run: (errand: Errand) => Promise<unknown>;
  /** Told of bugs of ours. */
  readonly report: (error: unknown) => void;
}

/** Listens for the other workers. What a worker has left that died is in the way of no one. */
export async function servePeers(path: string, services: PeerServices): Promise<Server> {
  await rm(path, { force: true });
  const server = createServer((socket) => serve(socket, services));
  // Not by way of the primary process, which would share it among all workers.
  server.listen({ path, exclusive: true });
  await once(server, "listening");
  // The server for clients holds the process, this one does not.
  return server.unref();
}

function serve(socket: Socket, services: PeerServices): void {
  socket.unref();
  const answers = new Map<number, Answering>();
  const channel = new Channel<Answer, Question>(socket, (question) => {
    const { id } = question;
    if (question.type === "errand") {
      void services.run(question.errand).then((value) => channel.send({ id, type: "done", value }));
    } else if (question.type === "ask") {
      const answering = new Answering(question.call, {
        send: (message) => channel.send({ id, ...message }),
        over: () => answers.delete(id),
      });
      answers.set(id, answering);
      const answer = (call: Call): MaybePromise<Exchange> => services.answer(call, question.reach);
      answering.answer(answer).catch((error: unknown) => {
        services.report(error);
        answering.fail();
      });
    } else answers.get(id)?.take(question);
  });
  socket.once("close", () => {
    for (const answering of answers.values()) answering.lost();
  });
}
