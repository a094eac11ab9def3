FROM node:20-slim AS build
COPY . /build
RUN cd /build && npm ci && npm pack
FROM node:20-slim
COPY --from=build /build/backlot-*.tgz /tmp/
RUN npm install --global /tmp/backlot-*.tgz && rm /tmp/backlot-*.tgz
ENV BACKLOT_HOST=0.0.0.0
USER node
WORKDIR /data
ENTRYPOINT ["backlot"]
