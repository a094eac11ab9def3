/** What all sessions begin with. */
export const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    { name: "count", when: { user: "count" }, replies: [{ content: "one" }, { content: "two" }] },
  ],
} as const;

export const settings = { auth: false } as const;
