import { writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";

/** A view of the console, and what is done there before its picture is taken. */
interface ViewPicture {
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "dark";
}

const usualView = { width: 1100, height: 600 };

const views: Readonly<Record<string, ViewPicture>> = {
  "first-steps": { path: "/@new/__backlot/" },
  requests: {
    path: "/__backlot/#/requests",
    prepare: async (page) => {
      await page.getByText("fault: cut").first().click();
      await page.getByRole("tab", { name: "Timing" }).click();
    },
  },
  console: {
    path: "/__backlot/#/requests",
    prepare: (page) => page.getByText("What is the weather").first().click(),
  },
  tables: { path: "/__backlot/#/tables/products" },
  chats: {
    path: "/__backlot/#/chats",
    prepare: async (page) => {
      await page.getByText("two-jokes").first().click();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("under way", { exact: true }).waitFor({ state: "detached" });
      await page.getByText("Ask again").waitFor();
      await page.getByText("How and why").first().click();
      await page.getByText("These scripts were tried").waitFor();
      await page.evaluate("document.querySelector('article').scrollIntoView()");
    },
  },
  scripts: {
    path: "/__backlot/#/scripts",
    prepare: (page) => page.locator(".script summary").first().click(),
  },
  sessions: {
    path: "/@test-7/__backlot/#/sessions",
    prepare: async (page) => {
      await page.getByLabel("Name").fill("before the order");
      await page.getByRole("button", { name: "Take snapshot" }).click();
      await page.getByText("before the order").first().waitFor();
    },
  },
  faults: {
    path: "/__backlot/#/faults",
    prepare: async (page) => {
      await page.getByRole("button", { name: "cut after 5 chunks" }).click();
      await page.getByRole("heading", { name: "fault 1" }).waitFor();
    },
  },
  commands: { path: "/__backlot/", prepare: (page) => page.keyboard.press("Control+k") },
  keys: { path: "/__backlot/", prepare: (page) => page.keyboard.press("?"), colorScheme: "dark" },
  phone: {
    path: "/__backlot/",
    viewport: { width: 390, height: 700 },
    colorScheme: "dark",
  },
};

/** The largest that a picture may be: they come with the package. In bytes. */
const mostBytes = 60_000;

/** Takes a picture of every view of a server's console. */
export async function takeViews(
  browser: Browser,
  { url, folder }: { readonly url: string; readonly folder: string },
): Promise<void> {
  const encoder = await browser.newPage();
  for (const [name, picture] of Object.entries(views)) {
    const { path, prepare, viewport = usualView, colorScheme = "light" } = picture;
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(url + path);
    await page.locator("h1").waitFor();
    await prepare?.(page);
    // What was asked for is there, and the focus is not on what was clicked.
    await page.waitForTimeout(1500);
    await page.evaluate("scrollTo(0, 0)");
    const file = await packed(encoder, await page.screenshot());
    if (file.byteLength > mostBytes) throw new Error(`${name} has ${file.byteLength} bytes.`);
    writeFileSync(`${folder}/${name}.webp`, file);
    await page.close();
  }
}

/** A picture as WebP, which is a third of a PNG. */
async function packed(page: Page, png: Buffer): Promise<Buffer> {
  const source = `data:image/png;base64,${png.toString("base64")}`;
  const made: string = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(source)};
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.8);
  })()`);
  return Buffer.from(made.split(",")[1] ?? "", "base64");
}
