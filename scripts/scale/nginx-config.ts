/** Where nginx listens, and for whom. */
export interface NginxPorts {
  readonly listen: number;
  /** Those of the Backlot processes. */
  readonly backends: readonly number[];
}

/** What of nginx's configuration sends each session to its process: the part inside of `http`. */
export function sessionConfig({ listen, backends }: NginxPorts): string {
  return `# A session is named by its path, else by its header. What names none belongs to one process, too.
map $uri $backlot_path {
  "~^/@(?<id>[^/]+)" $id;
  default "";
}
map $http_x_backlot_session $backlot_header {
  "" "base session";
  default $http_x_backlot_session;
}
map $backlot_path $backlot_session {
  "" $backlot_header;
  default $backlot_path;
}

upstream backlot {
  hash $backlot_session consistent;
${backends.map((port) => `  server 127.0.0.1:${port} max_fails=0;`).join("\n")}
  keepalive 64;
}

server {
  listen 127.0.0.1:${listen};
  client_max_body_size 10m;
  large_client_header_buffers 8 64k;
  location / {
    proxy_pass http://backlot;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    # No other process has the session: the client gets a 502, and tries again.
    proxy_next_upstream off;
    # Streams go out piece by piece, and may take their time.
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_read_timeout 1h;
  }
}
`;
}

/** A whole configuration for an nginx of its own, which leaves that of the system alone. */
export function wholeConfig(ports: NginxPorts, folder: string): string {
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 4096; }
http {
access_log off;
client_body_temp_path ${folder}/body;
proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/fastcgi;
uwsgi_temp_path ${folder}/uwsgi;
scgi_temp_path ${folder}/scgi;
${sessionConfig(ports)}}
`;
}
