import type { Logger, PreviewServer, ResolvedConfig, ViteDevServer } from "vite";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { styleFor } from "../node/terminal-style.ts";
import type { BacklotMode } from "./options.ts";

/** What the server's log shows about a site. */
export interface ToldSite {
  readonly mode: BacklotMode;
  /** A function, since the settings may change with the fixtures. */
  readonly settings: () => ResolvedSettings;
}

/** The part that both of Vite's servers have in common. */
type Server = Pick<ViteDevServer | PreviewServer, "config" | "resolvedUrls" | "printUrls">;

/** The addresses that a dev server shows. When Vite restarts, it has another config and another plugin. */
interface Told {
  readonly tell: () => void;
  /** Whether the addresses were shown just now. */
  isFresh: boolean;
}

const toldBy: WeakMap<ResolvedConfig, Told> = new WeakMap();

/** Shows address, console and keys together with Vite's own addresses, whenever Vite shows those. */
export function tellWithUrls(server: Server, site: ToldSite): Told {
  const printUrls = server.printUrls.bind(server);
  const told = { tell: (): void => writeLines(server, site), isFresh: false };
  server.printUrls = (): void => {
    printUrls();
    if (!told.isFresh) told.tell();
  };
  return told;
}

/**
 * Like `tellWithUrls`, for a dev server. Also shows the addresses after a restart, when Vite shows nothing if its own
 * addresses stay the same.
 */
export function tellOfDevServer(server: ViteDevServer, site: ToldSite): void {
  if (server.config.server.middlewareMode) {
    // In middleware mode the server belongs to the app, and Vite's addresses are never shown.
    writeLines(server, site);
    return;
  }
  toldBy.set(server.config, tellWithUrls(server, site));
  const restart = server.restart.bind(server);
  server.restart = async (...options): Promise<void> => {
    const before = server.config;
    await restart(...options);
    const told = toldBy.get(server.config);
    // After a mistake in the config, the server stays as it is.
    if (told === undefined || server.config === before) return;
    told.tell();
    told.isFresh = true;
    // If Vite's own addresses have changed too, Vite shows them right away.
    setImmediate(() => (told.isFresh = false));
  };
}

function writeLines({ config, resolvedUrls }: Server, site: ToldSite): void {
  const [url] = [...(resolvedUrls?.local ?? []), ...(resolvedUrls?.network ?? [])];
  const origin = url === undefined ? "" : new URL(url).origin;
  for (const [label, value] of factsOf(site, { origin, base: config.base })) {
    writeLine(config.logger, label, value);
  }
}

/** Writes a line in Vite's own style: ` ➜ Local: http://localhost:5173/`. */
function writeLine(logger: Logger, label: string, value: string): void {
  const isTerminal = process.stdout.isTTY;
  const { green, bold, cyan } = styleFor({ isTerminal }, process.env);
  const name = `${bold(label)}:${" ".repeat("Network".length - label.length)}`;
  const coloured = value.replaceAll(/https?:\/\/\S+[^\s,]/g, cyan);
  logger.info(`  ${green("➜")}  ${name} ${coloured}`);
}

type Fact = readonly [label: string, value: string];

/** `origin` is empty if the server is not Vite's. */
function factsOf(
  { mode, settings }: ToldSite,
  { origin, base }: { readonly origin: string; readonly base: string },
): readonly Fact[] {
  if (mode === "off") return [];
  const { basePaths, tablesBasePaths, tokens, apiKeys } = settings();
  const chat = `${origin}${basePaths[0] ?? ""}`;
  const tables = `${origin}${tablesBasePaths.at(-1) ?? ""}/rest`;
  // A worker answers only below the base.
  const consoleRoot = mode === "worker" ? base : "/";
  return [
    ["Backlot", `${chat || "/"} (chat), ${tables} (tables)${whoAnswers[mode]}`],
    ...(mode === "msw" ? [] : [["Console", `${origin}${consoleRoot}__backlot/`] as const]),
    ["Token", showKeys(tokens, apiKeys)],
  ];
}

const whoAnswers: Readonly<Record<Exclude<BacklotMode, "off">, string>> = {
  server: "",
  msw: ", answered in the page by msw",
  worker: ", answered in the page by a service worker",
};

function showKeys(
  tokens: ResolvedSettings["tokens"],
  apiKeys: ResolvedSettings["apiKeys"],
): string {
  if (tokens === null) return "none needed";
  return `${tokens[0]} for tables, ${apiKeys?.[0] ?? "any key"} for chat`;
}
