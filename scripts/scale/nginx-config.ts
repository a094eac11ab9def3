/** Where nginx listens, and for whom. */
export interface NginxPorts {
  readonly listen: number;
  /** Those of the Backlot processes. */
  readonly backends: readonly number[];
}

/** What of nginx's configuration sends each session to its process: the part inside of `http`. */
export function sessionConfig({ listen, backends }: NginxPorts): string {
  return `# A session is named by its path as it was sent, else by its header.
map $uri $backlot_decoded {
  "~^/@(?<id>[^/]+)" $id;
}
map $request_uri $backlot_named {
  # Letters, digits, "-", "." and "_", which some clients encode.
  "~^/@(?:[A-Za-z0-9._-]|%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9Aa]))+(?:[/?]|$)" $backlot_decoded;
  "~^/@[^/?]" "";
  default $http_x_backlot_session;
}
# Other names, which can be written in several ways, belong to one process, and so does what names none.
map $backlot_named $backlot_session {
  "~^[A-Za-z0-9._-]+$" $backlot_named;
  default "base session";
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
