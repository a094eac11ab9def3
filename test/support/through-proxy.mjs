// Imported into a process, sends what its fetch asks through the proxy of the environment, as newer Nodes do with
// NODE_USE_ENV_PROXY.
import { EnvHttpProxyAgent, setGlobalDispatcher } from "undici";

setGlobalDispatcher(new EnvHttpProxyAgent());
