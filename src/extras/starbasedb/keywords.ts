/** SQLite's keywords that are no names. All others may be: the parser falls back to an identifier. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    "ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE " +
    "DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS " +
    "ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO " +
    "TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE"
  ).split(" "),
);

/** Names that begin a construct of their own where an expression begins. */
export const namesThatStartNoExpression: ReadonlySet<string> = new Set(["CAST", "RAISE"]);

/** Keywords that may be the argument of a pragma, being values of some. */
export const wordsThatPragmaTakes: ReadonlySet<string> = new Set(["DEFAULT", "DELETE", "ON"]);

/** Names that stand for the time in an expression, even where a column has them. */
export const timeWords: ReadonlySet<string> = new Set([
  "CURRENT_DATE",
  "CURRENT_TIME",
  "CURRENT_TIMESTAMP",
]);

/** Names of the row id where no column has them. */
export const rowIdWords: ReadonlySet<string> = new Set(["ROWID", "OID", "_ROWID_"]);
