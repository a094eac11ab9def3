import {
  type Draw,
  control,
  move,
  names,
  rowBody,
  sessionIds,
  snapshotNames,
  stored,
} from "./asking.ts";
import type { Reply } from "./client.ts";
import { type FaultKind, type Item, type State, emptied } from "./model.ts";
import { endSignals, fixturesOf } from "./real.ts";
import { wrongStream } from "./stream-moves.ts";
import { pause, wrongExport } from "./telling-moves.ts";

// Faults, snapshots, sessions, resets.

export const fault: Draw = (random) => {
  const session = random.pick(sessionIds);
  const name = random.pick(["tables", "chat"] as const);
  const kind = random.weighted<FaultKind>([
    [4, "refuse"],
    [2, "reset"],
    [1, "hang"],
    [2, "delay"],
  ]);
  const times = random.int(1, 3);
  const clears = random.chance(0.25);
  return move({ fault: kind, interface: name, times, session, clears }, async (model, real) => {
    const now = model.session(session);
    const effects = {
      refuse: { status: 503 },
      reset: { fault: "reset" },
      hang: { fault: "hang" },
      delay: { delayMs: 3 },
    };
    const reply = clears
      ? await control(real, { session, method: "DELETE", path: "/faults" }, [204])
      : await control(
          real,
          {
            session,
            method: "POST",
            path: "/faults",
            body: { interface: name, times, ...effects[kind] },
          },
          [201],
        );
    if (typeof reply === "string") return reply;
    const faults = clears ? [] : [...now.state.faults, { interface: name, kind, left: times }];
    now.state = { ...now.state, faults };
    return undefined;
  });
};

export const snapshot: Draw = (random) => {
  const session = random.pick(sessionIds);
  const name = random.pick(snapshotNames);
  const does = random.pick(["take", "restore", "restore", "begin"] as const);
  return move({ snapshot: name, does, session }, async (model, real) => {
    const kept = model.snapshots.get(name);
    const known = `${real.prefix}${name}`;
    if (does === "begin") {
      if (session === "") return undefined;
      const request = {
        session: "",
        method: "PUT",
        path: `/sessions/${real.prefix}${session}`,
        body: { from: known },
      };
      const reply = await control(real, request, [kept === undefined ? 404 : 204]);
      if (kept !== undefined) model.sessions.set(session, { state: kept, journal: new Map() });
      return typeof reply === "string" ? reply : undefined;
    }
    const now = model.session(session);
    const [method, path] =
      does === "take" ? ["PUT", `/snapshots/${known}`] : ["POST", `/snapshots/${known}/restore`];
    const reply = await control(real, { session, method, path }, [
      does === "restore" && kept === undefined ? 404 : 204,
    ]);
    if (typeof reply === "string") return reply;
    if (does === "take") model.snapshots.set(name, now.state);
    else if (kept !== undefined) now.state = kept;
    return undefined;
  });
};

export const reset: Draw = (random) => {
  const session = random.pick(sessionIds);
  const scope = random.pick([
    undefined,
    undefined,
    "tables",
    "chats",
    "journal",
    "faults",
  ] as const);
  return move({ reset: scope ?? "all", session }, async (model, real) => {
    const now = model.session(session);
    const body = scope === undefined ? {} : { body: { scope: [scope] } };
    const reply = await control(real, { session, method: "POST", path: "/reset", ...body }, [204]);
    if (typeof reply === "string") return reply;
    const { items, scripts, count, faults } = model.pristine;
    const whole = { items, scripts, count, isImported: false };
    const isWhole = now.state.isImported;
    const parts = {
      tables: isWhole ? whole : { items },
      chats: isWhole ? whole : { scripts, count },
      journal: {},
      faults: { faults },
    };
    now.state = scope === undefined ? model.pristine : { ...now.state, ...parts[scope] };
    if (scope === undefined || scope === "journal") emptied(now);
    return undefined;
  });
};

export const forget: Draw = (random) => {
  const session = random.pick(["a", "b"]);
  return move({ forget: session }, async (model, real) => {
    const isThere = model.sessions.delete(session);
    const path = `/sessions/${real.prefix}${session}`;
    const reply = await control(real, { session: "", method: "DELETE", path }, [
      isThere ? 204 : 404,
    ]);
    return typeof reply === "string" ? reply : undefined;
  });
};

export const reload: Draw = (random) => {
  const items = new Map(
    names
      .slice(0, random.int(0, 4))
      .map((name, at) => [at + 1, { id: at + 1, name, n: at, tag: null }]),
  );
  return move({ reload: items.size }, async (model, real) => {
    // Of rows that came from an export nobody can tell whether other columns make them new.
    if (model.isExported && model.pristine.items.size === items.size) return undefined;
    await real.server.reload(fixturesOf({ items }, model.world));
    model.loadAnew(items);
    return undefined;
  });
};

/** The process ends while clients write and read, and begins again from what it exported. */
export const restart: Draw = (random) => {
  const signal = random.pick(endSignals);
  const isFull = random.chance(0.2);
  const bodies = random.list(random.int(0, 5), () => rowBody(random));
  const afterMs = random.int(0, 4);
  return move({ restart: signal, isFull, bodies, afterMs }, async (model, real) => {
    if (real.server.restart === undefined) return undefined;
    const { state } = model.session("");
    // What they would come to is open.
    const isOpen = model.isService || state.faults.some((one) => one.interface === "tables");
    const writers = (isOpen ? [] : bodies).map((body) =>
      real.ask({ session: "", method: "POST", path: "/rest/items", body }),
    );
    await pause(afterMs);
    const text = await real.server.restart({ signal, isFull }, model.world);
    const replies = await Promise.all(writers);
    for (const { answer } of real.streams) {
      const [whole] = await answer.whole();
      const wrong = whole && wrongStream(whole);
      if (wrong !== undefined) return wrong;
    }
    model.open.clear();
    real.reconnect();
    const isExported = signal !== "SIGKILL" && !isFull;
    if (!isExported) {
      model.beginAnew(model.pristine);
      return undefined;
    }
    if (text === undefined) return "nothing was exported";
    const items = exportedItems(state, text, bodies, replies);
    if (typeof items === "string") return items;
    model.beginAnew({ ...state, items, isImported: false });
    model.isExported = true;
    return wrongExport(JSON.parse(text), model.pristine);
  });
};

/** The rows of an export: those of the state, each that was acknowledged, and maybe others that were sent. */
function exportedItems(
  state: State,
  text: string,
  bodies: readonly { readonly name: string }[],
  replies: readonly Reply[],
): State["items"] | string {
  const rows: readonly Item[] = JSON.parse(text).tables.items.rows;
  const items = new Map(rows.map(({ id, name, n, tag }) => [id, { id, name, n, tag }]));
  for (const reply of replies) {
    const row = reply.status === 201 ? stored(reply) : undefined;
    if (row !== undefined && items.get(row.id)?.name !== row.name)
      return `a row that was acknowledged is not in the export: ${reply.text}`;
  }
  const [added] = rows.filter(({ id }) => !state.items.has(id));
  if (added !== undefined && bodies.every(({ name }) => name !== added.name))
    return `the export has a row that nobody sent: ${JSON.stringify(added)}`;
  const lost = [...state.items.values()].find(({ id }) => !items.has(id));
  return lost === undefined ? items : `the export has lost a row: ${JSON.stringify(lost)}`;
}
