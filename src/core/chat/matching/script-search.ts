import type { AnswerDetails, Answerer, AnswerScene, MissedScript } from "../../http/answerer.ts";
import { parseBody } from "../../http/json-body.ts";
import { asObject } from "../request/read.ts";
import { requestOf } from "../request/read-request.ts";
import type { ScriptList } from "../scripts/script-list.ts";
import type { Script } from "../scripts/script.ts";
import { closestMisses, nameClosest } from "./explain.ts";
import { prepareScript } from "./prepare-script.ts";

/** So many scripts are told of in the journal. */
const mostMisses = 5;

/**
 * The search for the script that answers a request. It notes what would be gone later: the scripts that there were and
 * which of them were used up. Why they did not match is worked out from the request when somebody asks.
 */
export class ScriptSearch implements Answerer {
  readonly #scripts: ScriptList;
  #usedUp: string[] | undefined;
  #found: Script | undefined;
  #replyIndex = 0;
  /** What the log says besides. */
  #remark = "";

  constructor(scripts: ScriptList) {
    this.#scripts = scripts;
  }

  /** A script might have matched, but had given all its answers. */
  noteUsedUp({ name }: Script): void {
    (this.#usedUp ??= []).push(name);
  }

  noteMatch(script: Script, replyIndex: number): void {
    this.#found = script;
    this.#replyIndex = replyIndex;
  }

  /** Adds what the log says of a script's answer, or says instead of its own words where no script was found. */
  noteRemark(remark: string): void {
    this.#remark = remark;
  }

  label(scene: AnswerScene): string {
    if (this.#found !== undefined) {
      return `script "${this.#found.name}" reply ${this.#replyIndex + 1}${this.#remark}`;
    }
    if (this.#remark !== "") return this.#remark;
    const closest = nameClosest(this.#misses(scene, undefined));
    return closest === undefined ? "echo" : `echo (closest: ${closest})`;
  }

  details(scene: AnswerScene): AnswerDetails {
    const misses = this.#misses(scene, mostMisses);
    const found = this.#found;
    if (found === undefined) return { misses };
    const { name, replies } = found;
    const reply = replies.length > 1 ? { reply: this.#replyIndex } : {};
    return { script: name, ...reply, misses };
  }

  /** Nothing is told of a request that is no longer there. */
  #misses({ headers, body }: AnswerScene, most: number | undefined): readonly MissedScript[] {
    if (body === undefined) return [];
    const sent = parseBody({ kind: "bytes", bytes: body });
    const value = sent.kind === "json" ? asObject(sent.value) : undefined;
    if (value === undefined) return [];
    const usedUp = new Set(this.#usedUp);
    const candidates = this.#before().map((script) => {
      const compiled = prepareScript(script);
      return { compiled, matches: usedUp.has(script.name) ? compiled.mostMatches : 0 };
    });
    return closestMisses(candidates, { request: requestOf(value), headers }, most);
  }

  /** Those that were tried before one was found. */
  #before(): readonly Script[] {
    const { all } = this.#scripts;
    const place = this.#found === undefined ? -1 : all.indexOf(this.#found);
    return place === -1 ? all : all.slice(0, place);
  }
}
