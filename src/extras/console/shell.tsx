import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import type { Client } from "./api/client.ts";
import type { ConsoleSetup } from "./api/setup.ts";
import { ChatsView } from "./chats/chats-view.tsx";
import { FaultsView } from "./faults/faults-view.tsx";
import { ConsoleContext, type ConsoleTools } from "./parts/console-context.ts";
import { hashOf, useRoute, type ViewName, viewNames } from "./parts/route.ts";
import { RequestsView } from "./requests/requests-view.tsx";
import { useRequests, type WatchedRequests } from "./requests/use-requests.ts";
import { ScriptsView } from "./scripts/scripts-view.tsx";
import { SessionsView } from "./sessions/sessions-view.tsx";
import { TablesView } from "./tables/tables-view.tsx";

interface ShellProps {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly reload: () => void;
}

/** The views: their titles, and what shows them. */
const views: Readonly<
  Record<ViewName, readonly [string, (requests: WatchedRequests, name?: string) => VNode]>
> = {
  requests: ["Requests", (requests, name) => <RequestsView requests={requests} selected={name} />],
  tables: ["Tables", (_, name) => <TablesView selected={name} />],
  chats: ["Chats", () => <ChatsView />],
  scripts: ["Scripts", () => <ScriptsView />],
  sessions: ["Sessions", () => <SessionsView />],
  faults: ["Faults", (requests) => <FaultsView requests={requests} />],
};

/** The frame around the views. */
export function Shell({ client, setup, reload }: ShellProps): VNode {
  const { view, name } = useRoute();
  const [news, announce] = useState("");
  const tools: ConsoleTools = useMemo(
    () => ({ client, setup, reload, announce }),
    [client, setup, reload],
  );
  const requests = useRequests(client, announce);
  useReloadAfterWrites(requests, reload);
  const main = useRef<HTMLElement>(null);
  useFocusOnChange(main.current, view);
  return (
    <ConsoleContext.Provider value={tools}>
      <a class="skip" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <Top setup={setup} view={view} />
      <main ref={main} id="main" tabIndex={-1}>
        {views[view][1](requests, name)}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {news}
      </p>
    </ConsoleContext.Provider>
  );
}

/** How long after a write the setup is read again, in milliseconds. Many writes cause one read. */
const settledMs = 300;

/** Reads the setup again after writes, since it has the tables' row counts. */
function useReloadAfterWrites({ entries }: WatchedRequests, reload: () => void): void {
  const last = entries.findLast(isWrite);
  const lastWrite = last === undefined ? "" : `${last.id} ${last.at}`;
  useEffect(() => {
    if (lastWrite === "") return undefined;
    const timer = setTimeout(reload, settledMs);
    return () => clearTimeout(timer);
  }, [lastWrite, reload]);
}

function isWrite({ interface: asked, method, status }: JournalEntry): boolean {
  return asked === "rest" && method !== "GET" && method !== "HEAD" && status < 400;
}

function skip(event: Event, main: HTMLElement | null): void {
  // The hash belongs to the view.
  event.preventDefault();
  main?.focus();
}

/** Moves the focus to the start of a new view, and sets the title. */
function useFocusOnChange(main: HTMLElement | null, view: ViewName): void {
  const before = useRef(view);
  useEffect(() => {
    document.title = `${views[view][0]} · Backlot`;
    if (before.current === view) return;
    before.current = view;
    main?.querySelector("h1")?.focus();
  }, [main, view]);
}

function Top({ setup, view }: { readonly setup: ConsoleSetup; readonly view: ViewName }): VNode {
  return (
    <header class="top row">
      <div class="row">
        <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="mark" />
          <path d="M8 24V11l8-4 8 4v13M13 24v-7h6v7" class="mark-line" />
        </svg>
        <strong>Backlot</strong>
        <a class="badge" href={hashOf("sessions")} title="The session that this page is about">
          {setup.session ?? "base session"}
        </a>
      </div>
      <nav aria-label="Views">
        {viewNames.map((name) => (
          <a key={name} href={hashOf(name)} aria-current={name === view ? "page" : undefined}>
            {views[name][0]}
          </a>
        ))}
      </nav>
    </header>
  );
}
