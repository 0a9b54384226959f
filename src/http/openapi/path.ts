import { isOpaque } from '../opaque.ts';

/** Path in the syntax of OpenAPI. */
interface PathTemplate {
  /** Template such as `/user/{name}/metadata/{key}`. */
  readonly template: string;
  readonly params: readonly PathParam[];
}

export interface PathParam {
  readonly name: string;
  /** Whether it may hold any text, with its separators percent-encoded. */
  readonly opaque: boolean;
  /** Whether it takes the rest of the path, including slashes. OpenAPI cannot express that. */
  readonly rest: boolean;
}

/** Template of a route's path, such as `/user/:name/metadata/:key{.+}`. */
export function pathTemplate(path: string): PathTemplate {
  const params: PathParam[] = [];
  const template = path.replace(/:(\w+)(\{[^/]*\})?/g, (segment, name: string, pattern?: string) => {
    const opaque = isOpaque(segment);
    params.push({ name, opaque, rest: pattern !== undefined && !opaque });
    return `{${name}}`;
  });
  return { template, params };
}

/** `putUserByNameAliasByAlias`: a name that generators of clients make a function of. */
export function operationId(method: string, path: string): string {
  const words = path
    .replace(/\{[^/]*\}/g, '')
    .replaceAll(':', 'by-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** Operations are grouped by the first part of their path. */
export const tagOf = (path: string): string => path.split('/')[1]!;
