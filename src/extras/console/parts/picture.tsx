import type { VNode } from "preact";

interface PictureProps {
  readonly url: string;
  /** The place of the picture, such as `message 2`. */
  readonly name: string;
}

/** A picture. The page asks no other server, so it shows only the address of a picture elsewhere. */
export function Picture({ url, name }: PictureProps): VNode {
  if (/^data:image\//i.test(url))
    return <img class="picture" src={url} alt={`Picture in ${name}`} />;
  return (
    <span class="muted">
      Picture at <code>{url.length > 300 ? `${url.slice(0, 300)}…` : url}</code>, which this page
      does not load
    </span>
  );
}
