import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { Button } from "./form.tsx";
import { useUrlState } from "./route.ts";

interface TabsProps {
  readonly label: string;
  /** The name of the chosen tab in the page's address. */
  readonly inUrl: string;
  readonly tabs: readonly (readonly [name: string, title: string, content: () => VNode])[];
}

/** One of several contents at a time. Arrow keys go from tab to tab. */
export function Tabs({ label, inUrl, tabs }: TabsProps): VNode {
  const id = useId();
  const [first] = tabs[0] ?? [""];
  const [{ [inUrl]: chosen }, change] = useUrlState({ [inUrl]: first });
  const choose = (name = first): void => change({ [inUrl]: name });
  const index = Math.max(
    0,
    tabs.findIndex(([name]) => name === chosen),
  );
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (index + step + tabs.length) % tabs.length;
    choose(tabs[next]?.[0]);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={press}>
        {tabs.map(([name, title], at) => (
          <Button
            text={title}
            key={name}
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={at === index}
            aria-controls={`${id}-panel`}
            tabIndex={at === index ? 0 : -1}
            onClick={() => choose(name)}
          />
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${index}`}>
        {tabs[index]?.[2]()}
      </div>
    </div>
  );
}
