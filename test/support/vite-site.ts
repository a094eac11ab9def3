import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer, type InlineConfig, type Plugin, type ViteDevServer } from "vite";
import { onTestFinished } from "vitest";
import { backlot, type BacklotOptions } from "../../src/fronts/vite/index.ts";
import { RawConnection } from "./raw-http.ts";
import { temporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** The files of a small site: a page, and fixtures of one table. */
const ownFiles = {
  "index.html": '<!doctype html><title>Site</title><script type="module" src="/main.ts"></script>',
  "main.ts": "document.title += ' loaded';",
  "fixtures/tables/users.json": [{ id: 1, name: "Ada" }],
};

/** A folder that Vite can serve or build, with the packages of this project. */
export async function viteFolder(
  files: Readonly<Record<string, unknown>> = {},
): Promise<TemporaryFolder> {
  const folder = await temporaryFolder({ ...ownFiles, ...files });
  await symlink(packages, join(folder.path, "node_modules"), "dir");
  return folder;
}

/** A config of Vite for a folder, with the plugin. */
export function viteConfig(
  { path: root }: Pick<TemporaryFolder, "path">,
  options: BacklotOptions = {},
  more: readonly Plugin[] = [],
): InlineConfig {
  return {
    root,
    configFile: false,
    cacheDir: join(root, ".vite"),
    logLevel: "silent",
    plugins: [...more, backlot(options)],
  };
}

/** What is asked of a site. Without headers of its own it has the tables' token. */
interface SiteRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A dev server that listens. */
export interface ViteSite {
  readonly server: ViteDevServer;
  readonly folder: TemporaryFolder;
  /** Without a trailing slash. */
  readonly url: string;
  readonly fetch: (path: string, init?: SiteRequest) => Promise<Response>;
  /** A connection on which Vite's own messages come, as pages have one. */
  readonly hear: () => Promise<RawConnection>;
}

interface SiteSetup {
  /** Besides those that every site has, or in their place. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly config?: InlineConfig;
  /** Before that of Backlot. */
  readonly plugins?: readonly Plugin[];
}

/** Starts Vite's dev server with the plugin on a free port. It is gone after the test. */
export async function viteSite(
  options: BacklotOptions = {},
  { files, config, plugins }: SiteSetup = {},
): Promise<ViteSite> {
  const folder = await viteFolder(files);
  const server = await createServer({
    ...viteConfig(folder, options, plugins),
    ...config,
    server: { port: 0, host: "127.0.0.1" },
  });
  await server.listen();
  onTestFinished(() => server.close());
  const address = server.httpServer?.address();
  const port = typeof address === "object" ? address?.port : undefined;
  if (port === undefined) throw new Error("Vite does not listen.");
  const url = `http://127.0.0.1:${port}`;
  return {
    server,
    folder,
    url,
    fetch: (path, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: "Bearer local-token", ...init.headers },
      }),
    hear: async () => {
      const connection = await RawConnection.open({ host: "127.0.0.1", port });
      onTestFinished(() => connection[Symbol.dispose]());
      connection.send(
        "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
          "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
          "sec-websocket-protocol: vite-hmr\r\n\r\n",
      );
      await connection.until('"connected"');
      return connection;
    },
  };
}
