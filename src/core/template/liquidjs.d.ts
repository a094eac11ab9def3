// The package's own types need Node's, which portable code must not see. Its browser build runs everywhere, loads
// faster, and cannot access files.
declare module "liquidjs" {
  export const Liquid: new (
    options: Readonly<Record<string, unknown>>,
  ) => import("./engine.ts").Liquid;
  export const TokenKind: import("./engine.ts").TokenKinds;
}
