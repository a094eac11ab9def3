/** A table to write to, and a script that counts: what a session has done shows in both. */
export const scaleFixtures = {
  tables: { notes: [{ id: 1, text: "of the fixtures" }] },
  chats: [
    {
      name: "count",
      when: { user: "how many?" },
      replies: ["once", "twice", "three times", "four times"].map((content) => ({ content })),
    },
  ],
};

/** What the script says to the n-th question, from 1. */
export function countReply(n: number): string {
  return scaleFixtures.chats[0]?.replies[n - 1]?.content ?? "";
}
