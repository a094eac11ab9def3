import { type Draw, control, move, names, sessionIds, snapshotNames } from "./asking.ts";
import { type FaultKind, emptied } from "./model.ts";
import { fixturesOf } from "./real.ts";
import { wrongExport } from "./telling-moves.ts";

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
    await real.server.reload(fixturesOf({ items }, model.world));
    model.beginAnew({ items, faults: [], scripts: new Map(), count: 0, isImported: false });
    return undefined;
  });
};

export const restart: Draw = (random) => {
  const signal = random.pick(["SIGTERM", "SIGKILL"] as const);
  return move({ restart: signal }, async (model, real) => {
    if (real.server.restart === undefined) return undefined;
    const text = await real.server.restart(signal, model.world);
    const { state } = model.session("");
    real.reconnect();
    model.beginAnew(signal === "SIGTERM" ? { ...state, isImported: false } : model.pristine);
    if (signal === "SIGKILL") return undefined;
    if (text === undefined) return "nothing was exported";
    return wrongExport(JSON.parse(text), state);
  });
};
