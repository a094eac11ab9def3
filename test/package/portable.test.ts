import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const entry = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

function bundle(): ReturnType<typeof build> {
  return build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    splitting: true,
    format: "esm",
    outdir: "out",
    platform: "browser",
    external: ["msw"],
    metafile: true,
    logLevel: "silent",
  });
}

test("the portable entry bundles for a browser, without any module of Node", async () => {
  const { errors, metafile } = await bundle();
  expect(errors).toEqual([]);
  const modules = Object.values(metafile?.inputs ?? {}).flatMap(({ imports }) => imports);
  expect(modules.filter(({ path }) => path.startsWith("node:"))).toEqual([]);
});

test("templates and faker are no part of what is loaded first", async () => {
  const { metafile } = await bundle();
  const first = Object.values(metafile?.outputs ?? {}).find(({ entryPoint }) =>
    entryPoint?.endsWith("src/index.ts"),
  );
  const inputs = Object.keys(first?.inputs ?? {});
  expect(inputs.length).toBeGreaterThan(10);
  const late = inputs.filter((path) => /node_modules\/(liquidjs|@faker-js)/.test(path));
  expect(late).toEqual([]);
});
