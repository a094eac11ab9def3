import { type Random } from "../random.ts";
import {
  type Defect,
  type Draw,
  control,
  damaged,
  fullStatus,
  move,
  names,
  noteAsked,
  parsed,
  rowBody,
  sameRow,
  sameRows,
  service,
  sessionIds,
  stored,
} from "./asking.ts";
import {
  type Item,
  type State,
  type WorldModel,
  isTaken,
  rowsOf,
  withItem,
  withoutItem,
} from "./model.ts";
import { fixturesOf } from "./real.ts";

function defect(random: Random): Defect {
  return random.weighted<Defect>([
    [40, "none"],
    [2, "no name"],
    [2, "wrong type"],
    [2, "unknown column"],
    [2, "deep"],
    [2, "not JSON"],
    [0.3, "large"],
  ]);
}

/** Defects that SQLite refuses, too. It stores other values than a column is declared for. */
const alwaysRefused: readonly Defect[] = ["no name", "unknown column", "not JSON"];

function defectIn({ isService }: WorldModel, what: Defect): Defect {
  return isService && !alwaysRefused.includes(what) ? "none" : what;
}

/** The statuses of a write that only a defect or a name that is taken refuse. */
function writeStatuses(
  { isService }: WorldModel,
  what: Defect,
  conflict: boolean,
  done: number,
): readonly number[] {
  if (isService) return [what === "none" && !conflict ? done : 500];
  if (what === "large") return [413];
  // Which is said first is open.
  if (what !== "none") return conflict ? [400, 409] : [400];
  return conflict ? [409] : [done];
}

export const insert: Draw = (random) => {
  const session = random.pick(sessionIds);
  const drawn = defect(random);
  const body = rowBody(random);
  const halfCloses = random.chance(0.1);
  return move({ insert: body, session, what: drawn, halfCloses }, (model, real) => {
    const { state } = model.session(session);
    const what = defectIn(model, drawn);
    return service(
      model,
      real,
      { session, method: "POST", path: "/rest/items", body: damaged(body, what, real) },
      {
        interface: "tables",
        statuses: writeStatuses(model, what, isTaken(state, body.name), 201),
        after: (now, reply) => {
          if (reply.status !== 201) return now;
          const given = stored(reply);
          // The service gives the body back, and no id.
          const id = model.isService ? 1 + (rowsOf(now).at(-1)?.id ?? 0) : given?.id;
          if (id === undefined || now.items.has(id)) return `a new row is ${reply.text}`;
          const wanted = {
            id,
            name: body.name,
            n: body.n === undefined ? 7 : body.n,
            tag: body.tag ?? null,
          };
          return (
            sameRow(model.isService ? { ...wanted, ...given } : given, wanted) ??
            withItem(now, wanted)
          );
        },
      },
      { halfCloses },
    );
  });
};

export const change: Draw = (random) => {
  const session = random.pick(sessionIds);
  const method = random.pick(["PATCH", "PUT", "DELETE"]);
  const place = random.int(0, 9);
  const drawn = method === "DELETE" ? "none" : defect(random);
  const body = rowBody(random);
  return move({ [method]: body, session, place, what: drawn }, (model, real) => {
    const { state } = model.session(session);
    const what = defectIn(model, drawn);
    const row = rowsOf(state)[place];
    const id = row?.id ?? 1_000_000;
    const isMissing = row === undefined;
    const conflict = method !== "DELETE" && isTaken(state, body.name, id);
    const usual = writeStatuses(model, what, conflict, 200);
    const statusesIfMissing = (): readonly number[] => {
      if (model.isService) return [200, ...usual];
      if (what === "large") return [413];
      return [...new Set([404, ...usual.filter((status) => status !== 200)])];
    };
    const statuses = isMissing ? statusesIfMissing() : usual;
    const sent = method === "DELETE" ? {} : { body: damaged(body, what, real) };
    return service(
      model,
      real,
      { session, method, path: `/rest/items/${id}`, ...sent },
      {
        interface: "tables",
        statuses,
        after: (now, reply) => {
          if (reply.status !== 200 || row === undefined) return now;
          if (method === "DELETE") return withoutItem(now, id);
          const { isService } = model;
          const before = method === "PUT" && !isService ? { id, n: 7, tag: null } : row;
          const wanted = { ...before, ...body };
          return (
            sameRow(isService ? { ...wanted, ...stored(reply) } : stored(reply), wanted) ??
            withItem(now, wanted)
          );
        },
      },
    );
  });
};

interface Sort {
  readonly sort: "n" | "name" | "id" | undefined;
  readonly descending: boolean;
}

/** NULL comes before all values. */
function ordered(one: Item, other: Item, { sort, descending }: Sort): number {
  const [left, right] = sort === undefined ? [0, 0] : [one[sort], other[sort]];
  if (left === right) return 0;
  const isLess = left === null || (right !== null && left < right);
  return isLess === descending ? 1 : -1;
}

export const read: Draw = (random) => {
  const session = random.pick(sessionIds);
  const least = random.chance(0.3) ? random.int(0, 5) : undefined;
  const some = random.chance(0.3)
    ? random.list(random.int(1, 3), () => random.pick(names))
    : undefined;
  const sort = random.chance(0.4) ? random.pick(["n", "name", "id"] as const) : undefined;
  const descending = sort !== undefined && random.chance(0.5);
  const limit = random.chance(0.3) ? random.int(0, 4) : undefined;
  const offset = random.chance(0.2) ? random.int(0, 4) : 0;
  const halfCloses = random.chance(0.1);
  const query = [
    ...(least === undefined ? [] : [`n.gte=${least}`]),
    ...(some === undefined ? [] : [`name.in=${some.join(",")}`]),
    ...(sort === undefined ? [] : [`sort_by=${sort}`]),
    ...(descending ? ["order=DESC"] : []),
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(offset === 0 ? [] : [`offset=${offset}`]),
  ].join("&");
  return move({ read: query, session, halfCloses }, (model, real) =>
    service(
      model,
      real,
      { session, method: "GET", path: `/rest/items${query === "" ? "" : `?${query}`}` },
      {
        interface: "tables",
        statuses: [200],
        check: (reply) => {
          const { isService } = model;
          // SQLite finds names by their index, and goes on in its order.
          const found: Sort = { sort: isService && some ? "name" : undefined, descending: false };
          const most = isService && limit === 0 ? undefined : limit;
          const from = isService && most === undefined ? 0 : offset;
          const rows = rowsOf(model.session(session).state)
            .toSorted((one, other) => ordered(one, other, found))
            .filter(({ n }) => least === undefined || (n !== null && n >= least))
            .filter(({ name }) => some === undefined || some.some((one) => one === name))
            .toSorted((one, other) => ordered(one, other, { sort, descending }))
            .slice(from, most === undefined ? undefined : from + most);
          return sameRows(parsed(reply)?.result, rows);
        },
      },
      { halfCloses },
    ),
  );
};

/** Several clients at once, of whom each must have its answer. */
export const burst: Draw = (random) => {
  const session = random.pick(sessionIds);
  const bodies = random.list(random.int(2, 6), () => rowBody(random));
  return move({ burst: bodies, session }, async (model, real) => {
    const state = model.peek(session);
    // Which of them a fault would hit is open, and which has which id where no answer tells.
    if (model.isService || state.faults.some((fault) => fault.interface === "tables"))
      return undefined;
    const replies = await Promise.all(
      bodies.map((body) => real.ask({ session, method: "POST", path: "/rest/items", body })),
    );
    const now = model.session(session);
    for (const [at, reply] of replies.entries()) {
      noteAsked(now, real, { id: session, step: reply.step, method: "POST", status: reply.status });
      if (![201, 409, ...fullStatus(model, bodies.length)].includes(reply.status))
        return `one of a burst is answered ${reply.status}: ${reply.text}`;
      const row = stored(reply);
      if (row === undefined) continue;
      if (now.state.items.has(row.id) || isTaken(now.state, row.name))
        return `two of a burst have the same id or name: ${reply.text}`;
      if (row.name !== bodies[at]?.name) return `a client has another's answer: ${reply.text}`;
      now.state = withItem(now.state, row);
    }
    if (replies.some(({ status }) => status === 507)) return undefined;
    const missing = bodies.find(({ name }) => !isTaken(now.state, name));
    return missing === undefined ? undefined : `nobody of a burst could insert ${missing.name}`;
  });
};
/** Many rows in one call of the control API: all of them, or none. */
export const replaceRows: Draw = (random) => {
  const session = random.pick(sessionIds);
  const rows = random
    .shuffled(names)
    .slice(0, random.int(0, 6))
    .map((name, at) => ({ id: at + 1, name, n: random.int(0, 5), tag: null }));
  const bad = random.chance(0.4)
    ? random.pick(["same id", "same name", "wrong type"] as const)
    : undefined;
  const isState = random.chance(0.3);
  return move({ replaceRows: rows, session, bad, isState }, async (model, real) => {
    if (bad === "wrong type" && model.isService) return undefined;
    const state: State = {
      ...model.session(session).state,
      items: new Map(rows.map((row) => [row.id, row])),
    };
    const [first = { id: 1, name: "k0", n: 1, tag: null }] = rows;
    const extra = {
      "same id": [first, { ...first, name: "other" }],
      "same name": [first, { ...first, id: 90 }],
      "wrong type": [{ id: 91, name: "z", n: "many", tag: null }],
    };
    const sent = bad === undefined ? rows : [...rows, ...extra[bad]];
    const all = { items: new Map(sent.map((row, at) => [at, row])) };
    const [path, body] = isState ? ["/state", fixturesOf(all as never)] : ["/tables/items", sent];
    const done = isState ? [204] : [200, 204];
    const reply = await control(real, { session, method: "PUT", path, body }, [
      ...(bad === undefined ? done : [400]),
      ...fullStatus(model, sent.length),
    ]);
    if (typeof reply === "string") return reply;
    if (reply.status < 300) {
      // A state that says nothing of scripts added, counters and faults has none.
      model.session(session).state = isState
        ? { ...state, faults: [], scripts: new Map(), count: 0, isImported: true }
        : state;
    }
    return undefined;
  });
};
