import { type Description, writeJson, writeXml } from '../core/documents/index.ts';
import type { MediaType } from './negotiation.ts';
import { type Reply, typed } from './reply.ts';

/** A document in the negotiated form. */
export type Render = <T>(type: MediaType, description: Description<T>, value: T) => Reply;

/** `namespace`: of XML. */
export const createRender =
  (namespace: string): Render =>
  (type, description, value) =>
    typed(type, type === 'application/json' ? writeJson(description, value) : writeXml(description, value, namespace));
