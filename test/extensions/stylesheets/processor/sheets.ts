import { transformHere } from '../../../../src/extensions/stylesheets/processor/transform.ts';

const declared =
  'xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:vs="http://xml.vidispine.com/schema/vidispine" ' +
  'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:f="urn:f" xmlns:x="http://exslt.org/common"';

/** A stylesheet with that at its top. */
export const sheet = (content: string, version = '2.0'): string =>
  `<xsl:stylesheet version="${version}" ${declared} exclude-result-prefixes="vs xs f x">\n${content}</xsl:stylesheet>`;

export const body = (content: string, version?: string): string =>
  sheet(`<xsl:output omit-xml-declaration="yes"/>${content}`, version);

/** Stylesheet with a single template for the whole input. */
export const root = (content: string, version?: string): string =>
  body(`<xsl:template match="/">${content}</xsl:template>`, version);

export const applied = (stylesheet: string, input: string): string =>
  transformHere({ stylesheet, input, now: Date.UTC(2026, 10, 22, 9, 8, 7) }).text;

/** The sentence with which it fails. */
export function failure(stylesheet: string, input = '<a/>'): string {
  try {
    return `made ${applied(stylesheet, input).slice(0, 200)}`;
  } catch (error) {
    return `${(error as Error).constructor.name}: ${(error as Error).message}`;
  }
}
