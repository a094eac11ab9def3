// Unpacks the Chromium of @sparticuz/chromium below TMPDIR; a process of its own, since the package goes by the environment.
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
