import type { VNode } from "preact";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { useConsole } from "../parts/console-context.ts";
import { Form } from "../parts/form.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useLoad } from "../parts/use-load.ts";
import { ChatSettings } from "./chat-settings.tsx";
import { Conversation } from "./conversation-view.tsx";
import { Examples } from "./examples.tsx";
import { useConversation } from "./use-conversation.ts";

interface ModelList {
  readonly data: readonly { readonly id: string }[];
}

interface ScriptList {
  readonly chats: readonly Script[];
}

/** Conversations to try: each answer with why it was given, and what can be said next. */
export function ChatsView({ entries }: { readonly entries: readonly JournalEntry[] }): VNode {
  const { client, setup } = useConsole();
  const { value: models } = useLoad(() => client.chat<ModelList>(setup, "/models"), "");
  const { value: known } = useLoad(() => client.control<ScriptList>("/chats"), "");
  const names = models?.data.map(({ id }) => id) ?? [];
  const scripts = known?.chats ?? [];
  const { draft, setDraft, send, begin, ...talk } = useConversation(names);
  return (
    <>
      <PageHead title="Chats" note={`profile ${setup.profiles.chat}`}>
        <button
          type="button"
          onClick={() => begin({ ...draft, messages: [{ role: "user", content: "" }] })}
        >
          New conversation
        </button>
      </PageHead>
      <Form
        class="two"
        aria-label="Request"
        onSend={() => send(draft)}
        onKeyDown={(event) => {
          // Ctrl or Cmd and Enter send from anywhere.
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          // As the button does: what is required has to be there.
          event.currentTarget.requestSubmit();
        }}
      >
        <section class="panel" aria-label="Settings">
          <ChatSettings draft={draft} models={names} onChange={setDraft} />
          <Examples scripts={scripts} models={names} onChoose={begin} />
        </section>
        <Conversation
          {...talk}
          draft={draft}
          entries={entries}
          scripts={scripts}
          onChange={(messages) => setDraft({ ...draft, messages })}
          onSend={(messages) => send({ ...draft, messages })}
        />
      </Form>
    </>
  );
}
