import { Option } from "commander";
import {
  readBasePath,
  readClock,
  readFactor,
  readHost,
  readKey,
  readLatency,
  readPort,
  readWhole,
} from "./option-values.ts";

/** How requests and events are logged. */
export type LogFormat = "pretty" | "json" | "silent";

/** The options of `start` as they were given; what is left out was not given. */
export interface StartFlags {
  readonly port?: number;
  readonly host?: string;
  readonly profile?: "document" | "observed";
  readonly restProfile?: "document" | "starbasedb";
  readonly chatProfile?: "document" | "openai";
  readonly token?: string;
  readonly apiKey?: readonly string[];
  readonly auth?: boolean;
  readonly cors?: boolean;
  readonly basePath?: readonly string[];
  readonly seed?: number;
  readonly clock?: string;
  readonly speed?: number;
  readonly strict?: boolean;
  readonly latency?: number | readonly [number, number];
  readonly watch?: boolean;
  readonly log?: LogFormat;
}

/** Reads one more value of an option that takes several. */
function collect(read: (text: string) => string): (text: string, before?: string[]) => string[] {
  return (text, before = []) => [...before, read(text)];
}

/** The options of `start`, in the order in which help shows them. */
export function startOptions(): readonly Option[] {
  return [
    new Option("-p, --port <n>", "port; 0 picks a free one (default: 4010)").argParser(readPort),
    new Option("-H, --host <host>", "address to listen on (default: 127.0.0.1)").argParser(
      readHost,
    ),
    new Option("--profile <p>", "both at once (observed = starbasedb + openai)").choices([
      "document",
      "observed",
    ]),
    new Option("--rest-profile <p>", "whose behaviour the tables have").choices([
      "document",
      "starbasedb",
    ]),
    new Option("--chat-profile <p>", "whose behaviour chat has").choices(["document", "openai"]),
    new Option("--token <t>", "guards the tables (default: local-token)").argParser(readKey),
    new Option("--api-key <k...>", "keys that chat accepts (default: any)").argParser(
      collect(readKey),
    ),
    new Option("--no-auth", "ask for no key at all"),
    new Option("--no-cors", "no CORS headers, no preflight"),
    new Option("--base-path <p...>", "mount points (default: / and /v1)").argParser(
      collect(readBasePath),
    ),
    new Option("--seed <n>", "reproducible ids and generated rows").argParser(readWhole),
    new Option("--clock <iso>", "the time that replies tell, fixed").argParser(readClock),
    new Option("--speed <x>", "pace factor of streams; 0: no waiting").argParser(readFactor),
    new Option("--strict", "chat that no script matches is an error"),
    new Option("--latency <ms[-ms]>", "hold every reply back; 100-300: a range").argParser(
      readLatency,
    ),
    new Option("--watch", "load the fixtures anew when they change"),
    new Option("--log <format>", "how requests are logged (default: pretty)").choices([
      "pretty",
      "json",
      "silent",
    ]),
  ];
}
