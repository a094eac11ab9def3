/** What the servers are asked, and the fixtures that answer it. */

/** Characters of a chunk. */
export const chunkLength = 20;

/** A text that is so many chunks long, each different. */
function textOf(chunks: number): string {
  const parts = Array.from({ length: chunks }, (_, index) => `Words of chunk ${index}`);
  return parts.map((part) => part.padEnd(chunkLength, ".")).join("");
}

/** One question, and how it is answered. */
export interface Question {
  readonly user: string;
  readonly content: string;
  readonly stream: boolean;
  /** Milliseconds between two chunks. */
  readonly gapMs: number;
}

export const jsonQuestion: Question = {
  user: "Which tea goes with rain?",
  content: textOf(10),
  stream: false,
  gapMs: 0,
};

export const streamQuestion: Question = {
  user: "Tell me of fifty teas",
  content: textOf(50),
  stream: true,
  gapMs: 5,
};

/** Ten tokens a second for three seconds. */
export const slowQuestion: Question = {
  user: "Tell me slowly",
  content: textOf(30),
  stream: true,
  gapMs: 100,
};

const questions: readonly Question[] = [jsonQuestion, streamQuestion, slowQuestion];

/** The body of a request, as SDKs send it. */
export function requestBody({ user, stream }: Question): string {
  const messages = [
    { role: "system", content: "You are a helpful seller of tea." },
    { role: "user", content: user },
  ];
  return JSON.stringify({ model: "atlas-large", messages, stream, temperature: 0.7 });
}

/** Scripts that match none of the questions. */
function otherScripts(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `other-${index}`,
    when: otherCriteria(index),
    reply: { content: `Answer ${index}` },
  }));
}

/** Of each kind that users write. Most look for words. */
function otherCriteria(index: number): object {
  switch (index % 5) {
    case 0:
      return { user: { equals: `Question ${index}?` } };
    case 1:
      return { user: { regex: `\\bsubject ${index}\\b`, flags: "i" } };
    case 2:
      return { tool: `tool_${index}`, user: `words ${index}` };
    default:
      return { user: `topic ${index}` };
  }
}

/** A fixture document of so many scripts, the last of which answer the questions. */
export function backlotFixtures(scripts: number, asked = questions): object {
  return {
    models: [{ id: "atlas-large" }],
    tables: {},
    chats: [
      ...otherScripts(scripts - asked.length),
      ...asked.map(({ user, content, gapMs }, index) => ({
        name: `question-${index}`,
        when: { user },
        reply: { content, pace: { gapMs, by: chunkLength } },
      })),
    ],
  };
}

/** The same for aimock. */
export function aimockFixtures(scripts: number, asked = questions): object {
  const others = Array.from({ length: scripts - asked.length }, (_, index) => ({
    match: { userMessage: `topic ${index}` },
    response: { content: `Answer ${index}` },
  }));
  const answers = asked.map(({ user, content, gapMs }) => ({
    match: { userMessage: user },
    response: { content },
    latency: gapMs,
    chunkSize: chunkLength,
  }));
  return { fixtures: [...others, ...answers] };
}
