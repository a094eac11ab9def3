import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Reply } from "../http/reply.ts";
import { showText } from "../errors/show.ts";
import type { ControlCall } from "../emulator/extras.ts";
import { isEmbedded, isLoopbackAddress, isLoopbackHost, isOwnOrigin } from "../emulator/access.ts";
import { type ControlErrorCode, refuse } from "./errors.ts";

const fromPage = "Call the control API from a program, or from a page of this server.";

/**
 * Refuses a call that may come from a web page, through a form or DNS rebinding, or from another machine. Checked
 * before anything else of the call.
 */
export function refuseForeignCaller({
  call: { headers },
  inProcess,
  peerAddress,
  setup,
}: ControlCall): Reply | undefined {
  const { controlToken: token } = setup.settings;
  if (inProcess) return undefined;
  const { host = "", origin } = headers;
  if (isEmbedded(headers)) return refusal("foreign_origin", `a page of another site. ${fromPage}`);
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    const who = `a page of another origin: the Origin is ${showText(origin)}`;
    return refusal("foreign_origin", `${who}. ${fromPage}`);
  }
  if (token !== undefined) {
    const key = bearerKey(headers["authorization"]);
    if (key !== undefined && isAcceptedKey(key, [token])) return undefined;
    const why = "without the control token: it is missing or wrong";
    return refusal("wrong_token", `${why}. Send "Authorization: Bearer <control token>".`);
  }
  const beyond = "a caller from another machine";
  // A program may send any Host: only a browser sends the one that it resolved.
  if (peerAddress !== undefined && !isLoopbackAddress(peerAddress)) {
    const who = `${beyond}: its address is ${peerAddress || "no longer known"}`;
    return refusal("foreign_peer", `${who}. Start with a control token, and send it.`);
  }
  if (isLoopbackHost(host)) return undefined;
  const who = `${beyond}: the Host is ${host === "" ? "missing" : showText(host)}`;
  const advice = "Use localhost or 127.0.0.1, or start with a control token.";
  return refusal("foreign_host", `${who}. ${advice}`);
}

function refusal(code: ControlErrorCode, what: string): Reply {
  return refuse(code, { message: `Cannot answer ${what}` });
}
