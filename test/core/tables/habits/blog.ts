import { createEmulator, type Emulator } from "../../../../src/index.ts";

const fixtures = {
  tables: {
    posts: {
      primaryKey: "id",
      columns: {
        id: "INTEGER",
        title: "TEXT",
        views: "INTEGER",
        score: "REAL",
        active: "BOOLEAN",
        user_id: { type: "INTEGER", references: "users.id" },
        made: "DATE",
      },
      rows: [
        { id: 1, title: "Kettle", views: 100, score: 1.5, active: true, user_id: 1 },
        { id: 2, title: "Teapot", views: 20, score: 2, active: false, user_id: 1 },
        { id: 3, title: null, views: null, active: null },
      ],
    },
    comments: {
      columns: { id: "INTEGER", postId: "INTEGER", text: "TEXT" },
      rows: [{ id: 1, postId: 1, text: "Nice." }],
    },
    users: { columns: { id: "INTEGER", name: "TEXT" }, rows: [{ id: 1, name: "Ada" }] },
    // Columns with the names of other tools' parameters.
    books: {
      columns: { id: "INTEGER", page: "INTEGER", q: "TEXT", sort: "TEXT", views_gte: "INTEGER" },
      rows: [{ id: 1, page: 2, q: "tea", sort: "-views", views_gte: 10 }],
    },
  },
};

export interface Answered {
  readonly status: number;
  readonly body: { readonly error?: string; readonly hint?: string; readonly result?: unknown[] };
  /** What the log was told. */
  readonly warnings: readonly string[];
}

export interface Blog {
  readonly emulator: Emulator;
  readonly ask: (target: string, init?: RequestInit) => Promise<Answered>;
}

/** A blog whose clients were written for other tools. */
export async function openBlog(tables: "document" | "starbasedb" = "document"): Promise<Blog> {
  const warnings: string[] = [];
  const emulator = await createEmulator({
    fixtures,
    auth: false,
    profiles: { tables },
    observer: { warned: (message) => void warnings.push(message) },
  });
  return {
    emulator,
    ask: async (target, init) => {
      const response = await emulator.fetch(`http://blog.test/rest/${target}`, init);
      const body = await response.json();
      return { status: response.status, body, warnings: warnings.splice(0) };
    },
  };
}
