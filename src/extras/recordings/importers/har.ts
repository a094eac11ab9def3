import { counted } from "../../../core/errors/counted.ts";
import type { Cassette, RecordingRules } from "../../../core/replay/cassette.ts";
import { isObject } from "../../../core/schema/json.ts";
import { cassetteText } from "../record/cassette-text.ts";
import { Recorder } from "../record/recorder.ts";
import { type HarExchange, type NoExchange, readEntry } from "./har-entry.ts";
import { createRemarks, type Imported, type Tell } from "./imported.ts";
import { entriesOf } from "./nothing-usable.ts";

/** An entry and its place in the archive. */
interface Placed<Item> {
  readonly index: number;
  readonly item: Item;
}

/** The cassettes of what an HTTP archive has of both interfaces. Keys do not come into them. */
export function importHar(har: Readonly<Record<string, unknown>>, rules: RecordingRules): Imported {
  const { list, tell } = createRemarks();
  const read = inTime(entriesOf(har) ?? []).map(({ index, item }) => ({
    index,
    item: readEntry(item),
  }));
  const kept = read.flatMap(({ index, item }) => ("why" in item ? [] : [{ index, item }]));
  const others = read.flatMap(({ index, item }) => ("why" in item ? [{ index, item }] : []));
  tellOthers(others, tell);
  const recorder = new Recorder({ rules, upstreams: upstreamsOf(kept, tell), changed: () => {} });
  for (const { index, item } of kept) {
    for (const remark of item.remarks) tell(["log", "entries", index], remark);
    recorder.begin(item.interface, item.sent).finish(item.seen);
  }
  const files = recorder.cassettes().map((cassette) => ({
    name: `cassettes/${cassette.name}.json`,
    text: cassetteText(cassette),
  }));
  return { files, remarks: list };
}

/** In the order in which they were asked: some tools write them as they were answered. */
function inTime(entries: readonly unknown[]): readonly Placed<Readonly<Record<string, unknown>>>[] {
  return entries
    .map((entry, index) => ({ index, item: isObject(entry) ? entry : {} }))
    .toSorted((left, right) => timeOf(left.item) - timeOf(right.item));
}

function timeOf({ startedDateTime: time }: Readonly<Record<string, unknown>>): number {
  return (typeof time === "string" ? Date.parse(time) : 0) || 0;
}

/** So many of the others are named. */
const mostNamed = 5;

function tellOthers(others: readonly Placed<NoExchange>[], tell: Tell): void {
  for (const { index, item } of others) {
    if (item.why === "incomplete") tell(["log", "entries", index], `left out: ${item.message}`);
  }
  const foreign = others.filter(({ item }) => item.why === "other");
  const [first] = foreign;
  if (first === undefined) return;
  const named = foreign.slice(0, mostNamed).map(({ item }) => item.message);
  const more = foreign.length > mostNamed ? ` and ${foreign.length - mostNamed} more` : "";
  const count = `${counted(foreign.length, "entry")} ${foreign.length === 1 ? "is" : "are"}`;
  tell(
    ["log", "entries", first.index],
    `${count} of neither interface, and left out: ${named.join(", ")}${more}`,
  );
}

/** Where each interface was asked first. Cassettes have one place. */
function upstreamsOf(
  kept: readonly Placed<HarExchange>[],
  tell: Tell,
): Partial<Record<Cassette["interface"], string>> {
  const upstreams: Partial<Record<Cassette["interface"], string>> = {};
  for (const { index, item } of kept) {
    const known = (upstreams[item.interface] ??= item.upstream);
    if (known === item.upstream) continue;
    tell(
      ["log", "entries", index],
      `it was asked at ${item.upstream}, and stands with those of ${known}`,
    );
  }
  return upstreams;
}
