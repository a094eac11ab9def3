import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { askModel, type Message } from "./service.ts";

const ideas = ["Hello!", "What is the cheapest tea?", "Tell me a story", "Where is order 12?"];

/** A conversation whose answers show as they come. */
export function Chat(): JSX.Element {
  const { messages, problem, isAnswering, send, stop } = useConversation();
  const [draft, setDraft] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (draft.trim() === "" || isAnswering) return;
    void send(draft);
    setDraft("");
  };
  return (
    <section aria-label="Chat">
      <ol aria-live="polite" aria-busy={isAnswering}>
        {messages.map(({ role, content }, index) => (
          <li key={index} class={role}>
            {content === "" ? "…" : content}
          </li>
        ))}
      </ol>
      {messages.length === 0 && (
        <p class="ideas">
          {ideas.map((idea) => (
            <button key={idea} onClick={() => void send(idea)}>
              {idea}
            </button>
          ))}
        </p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <form onSubmit={submit}>
        <input
          aria-label="Message"
          placeholder="Ask the shop"
          value={draft}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        />
        {isAnswering ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button>Send</button>
        )}
      </form>
    </section>
  );
}

interface Conversation {
  readonly messages: readonly Message[];
  readonly problem: string | undefined;
  readonly isAnswering: boolean;
  readonly send: (content: string) => Promise<void>;
  readonly stop: () => void;
}

function useConversation(): Conversation {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isAnswering, setAnswering] = useState(false);
  const leaving = useRef(new AbortController());

  async function send(content: string): Promise<void> {
    const asked: readonly Message[] = [...messages, { role: "user", content }];
    let answer = "";
    const show = (): void => setMessages([...asked, { role: "assistant", content: answer }]);
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    setProblem(undefined);
    setAnswering(true);
    show();
    try {
      for await (const piece of askModel(asked, signal)) {
        answer += piece;
        show();
      }
    } catch (error) {
      if (!signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      // A bubble for an answer that never came would say nothing.
      if (answer === "") setMessages(asked);
    } finally {
      setAnswering(false);
    }
  }

  return { messages, problem, isAnswering, send, stop: () => leaving.current.abort() };
}
