import { Component, type ComponentClass, type VNode } from "preact";

/** A component that is drawn again only when one of its properties has changed. `draw` has no hooks. */
export function memo<Props extends object>(draw: (props: Props) => VNode): ComponentClass<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before = new Map<string, unknown>(Object.entries(this.props));
      const now = Object.entries(next);
      return now.length !== before.size || now.some(([name, value]) => before.get(name) !== value);
    }

    override render(props: Readonly<Props>): VNode {
      return draw(props);
    }
  };
}
