import type { ControlAnswer } from "./controlled.ts";

export interface ApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly ApiParameter[];
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

interface ApiParameter {
  readonly name?: string;
  readonly in?: string;
}

interface ApiPath {
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters?: readonly ApiParameter[];
  readonly get?: ApiOperation;
  readonly put?: ApiOperation;
  readonly post?: ApiOperation;
  readonly patch?: ApiOperation;
  readonly delete?: ApiOperation;
}

type ApiPaths = Readonly<Record<string, ApiPath>>;

/** As much of an OpenAPI document as the tests look at. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly object[];
  readonly paths: ApiPaths;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export function readApiDocument({ body }: Pick<ControlAnswer, "body">): ApiDocument {
  return body as ApiDocument;
}

interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
  /** Those of the path included. */
  readonly parameters: readonly ApiParameter[];
}

const methods = ["get", "put", "post", "patch", "delete"] as const;

/** All operations, one by one. */
export function operationsOf(paths: ApiPaths): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [{ method: method.toUpperCase(), path, operation, parameters }];
    }),
  );
}

/** The operation at a path below its mount point. */
export function findOperation(
  { paths }: ApiDocument,
  method: string,
  path: string,
): ApiOperation | undefined {
  return operationsOf(paths).find((placed) => {
    const pattern = placed.path.replaceAll(/\{\w+\}/g, "[^/]+");
    return placed.method === method && new RegExp(`^${pattern}$`).test(path);
  })?.operation;
}
