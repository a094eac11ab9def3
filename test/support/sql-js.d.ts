/** An older one, whose SQLite writes numbers with 15 digits, as the service of the recordings does. */
declare module "sql.js-period" {
  export * from "sql.js";
  export { default } from "sql.js";
}
