import { type Description, xsd } from '../../documents/index.ts';
import { type OpenApi, openApi } from '../../http/openapi/index.ts';
import type { Route } from '../../http/route.ts';
import { nextTurn } from '../../lib/turn.ts';
import { apiVersion } from '../../lib/version.ts';
import { wadl } from './wadl.ts';

interface Parts {
  routes(): readonly Route[];
  readonly documents: readonly Description[];
  readonly settings: { readonly schemaNamespace: string };
  fingerprint(text: string): string;
}

/** A text that does not change while the service runs. */
export interface FixedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A digest of them. */
  readonly version: string;
}

/** What the API says of itself. Nothing is made before the first request for it. */
export interface ApiDescription {
  openApi(): Promise<OpenApi>;
  xsd(): string;
  openApiText(): Promise<FixedText>;
  xsdText(): Promise<FixedText>;
  wadlText(): Promise<FixedText>;
}

export function createDescription({ routes, documents, settings, fingerprint }: Parts): ApiDescription {
  const namespace = settings.schemaNamespace;
  const describe = () => openApi({ routes: routes(), documents, version: apiVersion, namespace });
  const wadlOf = () => wadl({ routes: routes(), version: apiVersion, namespace });
  const schema = () => xsd(documents, namespace);
  return {
    openApi: describe,
    xsd: schema,
    openApiText: once(async () => JSON.stringify(await describe())),
    xsdText: once(async () => schema()),
    wadlText: once(wadlOf),
  };

  /** The text is kept, not the promise: on an edge, one request must not wait for what another one does. */
  function once(make: () => Promise<string>): () => Promise<FixedText> {
    let kept: FixedText | undefined;
    return async () => {
      if (kept) return kept;
      const text = await make();
      await nextTurn();
      kept = { bytes: new TextEncoder().encode(text), version: fingerprint(text) };
      return kept;
    };
  }
}
