// The package's own types pull in those of Node, which portable rooms must not see; and its browser build runs
// everywhere, loads faster, and knows no file system.
declare module "liquidjs" {
  export const Liquid: new (
    options: Readonly<Record<string, unknown>>,
  ) => import("./liquid.ts").Liquid;
  export const TokenKind: import("./liquid.ts").TokenKinds;
}
