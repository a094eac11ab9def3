import type { FixtureSet } from "../../src/index.ts";
import { readFixtureFiles } from "./read-fixture-files.ts";

/** A SQL dump as fixtures, to be read wherever the emulator is. What is not supported in it is left out. */
export class SqlDump {
  readonly text: string;
  #set: Promise<FixtureSet> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  read(): Promise<FixtureSet> {
    const file = { path: "recorded.sql", name: "recorded.sql", text: this.text };
    return (this.#set ??= readFixtureFiles([file], { layout: "document", skipUnsupported: true }));
  }
}
