import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { PageHead } from "../parts/page-head.tsx";
import { useConsole } from "../parts/console-context.ts";
import { useKept } from "../parts/use-kept.ts";
import { type Loaded, useLoad } from "../parts/use-load.ts";
import { ChatForm } from "./chat-form.tsx";
import { ChatResult } from "./chat-result.tsx";
import { chatBody, continued, type DraftChat, firstChat } from "./conversation.ts";
import { useChat } from "./run-chat.ts";

interface ModelList {
  readonly data: readonly { readonly id: string }[];
}

function useModels(): Loaded<ModelList> {
  const { client, setup } = useConsole();
  return useLoad(() => client.chat<ModelList>(setup, "/models"), "");
}

/** Tries chats: a request to edit, and its answer on a time axis. */
export function ChatsView(): VNode {
  const { setup } = useConsole();
  const [kept, setDraft] = useKept<DraftChat>("chat", firstChat);
  const [problem, setProblem] = useState<string>();
  const { value: models } = useModels();
  const chat = useChat();
  const names = (models?.data ?? []).map(({ id }) => id);
  const draft = kept.model === "" ? { ...kept, model: names[0] ?? "" } : kept;
  const send = (): void => {
    const made = chatBody(draft);
    setProblem(made.ok ? undefined : made.error);
    if (made.ok) chat.send(made.value);
  };
  return (
    <>
      <PageHead title="Chats" note={`profile ${setup.profiles.chat}`} />
      <div class="two">
        <ChatForm
          draft={draft}
          models={names}
          problem={problem}
          isRunning={chat.run?.outcome === "running"}
          onChange={setDraft}
          onSend={send}
          onStop={chat.stop}
        />
        {chat.run === undefined ? (
          <p class="empty">Send a request to see its answer here, frame by frame.</p>
        ) : (
          <ChatResult
            run={chat.run}
            onContinue={(choice) =>
              setDraft({ ...draft, messages: continued(draft.messages, choice) })
            }
          />
        )}
      </div>
    </>
  );
}
