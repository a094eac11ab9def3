import { rowsIn, type VerifySubject } from "./subject.ts";
import { readPlace } from "../../../core/replay/recording-path.ts";
import { chatChecks } from "./chat-checks.ts";
import { type ContractCheck, askedBy } from "./contract-check.ts";
import { type KnownShapes, shapesOf } from "./compare-shapes.ts";
import type { VerifyStep } from "./step.ts";
import { tableChecks } from "./table-checks.ts";
import { writeChecks } from "./write-checks.ts";

/** Which checks there are, and what for. */
interface ContractContext {
  readonly subject: VerifySubject;
  /** Whether checks that write are among them. */
  readonly writes: boolean;
  /** Interfaces that the service was given a key for, without which nothing can be said of one that is missing. */
  readonly hasKey: Readonly<Record<ContractCheck["interface"], boolean>>;
  /** From 0 to below 1: what the key of a row follows from that is made and deleted. */
  readonly random: number;
}

/** All checks, in their order. */
function contractChecks({
  writes,
  random,
}: Pick<ContractContext, "writes" | "random">): readonly ContractCheck[] {
  return [...chatChecks, ...tableChecks, ...(writes ? writeChecks(random) : [])];
}

/** The contract as requests. */
export function contractSteps(context: ContractContext): readonly VerifyStep[] {
  const { subject, hasKey } = context;
  const rows = rowShapes(subject);
  return contractChecks(context).map((check): VerifyStep => {
    const { name, interface: room, needs = "", stable = [] } = check;
    const step = { source: { check: name }, interface: room, stable: stable.map(readPlace) };
    const request = check.request(subject);
    if (request === undefined) {
      return { ...step, asked: undefined, skipped: `the fixtures have no such thing: ${needs}` };
    }
    const asked = askedBy(check, request);
    const isKeyless = request.withKey === false && !hasKey[room];
    return {
      ...step,
      asked,
      ...(isKeyless ? { skipped: "the service was given no key either" } : {}),
      ...(request.facts === undefined ? {} : { facts: request.facts }),
      ...(room === "rest" && asked.method === "GET" ? { known: rows } : {}),
    };
  });
}

/** A single row tells little of what rows have: all that are known stand for it. */
function rowShapes({ table }: VerifySubject): KnownShapes {
  const result = table?.rows ?? rowsIn(undefined);
  return shapesOf({ body: { kind: "json", value: { result } } }, () => false);
}
