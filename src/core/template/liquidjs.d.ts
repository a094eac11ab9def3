// The package's own types pull in Node's, which portable rooms must not see. Its browser build runs everywhere, loads
// faster, and has no file system.
declare module "liquidjs" {
  export const Liquid: new (
    options: Readonly<Record<string, unknown>>,
  ) => import("./engine.ts").Liquid;
  export const TokenKind: import("./engine.ts").TokenKinds;
}
