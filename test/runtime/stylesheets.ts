import { expect } from 'vitest';
import { runStylesheet } from '../../src/extensions/stylesheets/processor/run-stylesheet.ts';

const sheet = (content: string) =>
  `<xsl:stylesheet version="2.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="xs"><xsl:output omit-xml-declaration="yes"/><xsl:template match="/">${content}</xsl:template></xsl:stylesheet>`;
const input = '<a><b k="y">2</b><b k="x">1</b><b k="y">3</b></a>';
const made = async (content: string) => (await runStylesheet({ stylesheet: sheet(content), input, now: 0 })).text;

/** Checks what stylesheets can and cannot do, on any runtime. */
export async function checkStylesheets(): Promise<void> {
  const groups =
    '<xsl:for-each-group select="//b" group-by="@k"><xsl:sort select="current-grouping-key()" lang="en"/><g k="{current-grouping-key()}"><xsl:value-of select="current-group()" separator="+"/></g></xsl:for-each-group>';
  expect(await made(groups)).toBe('<g k="x">1</g><g k="y">2+3</g>');
  const texts = `<xsl:value-of select="replace('2026-11', '(\\d+)-(\\d+)', '$2/$1'), xs:date('2026-01-31') + xs:yearMonthDuration('P1M')"/>`;
  expect(await made(texts)).toBe('11/2026 2026-02-28');
  const endless = '<xsl:value-of select="count(for $a in 1 to 99999, $b in 1 to 99999 return $a)"/>';
  await expect(made(endless)).rejects.toThrow('Expected a stylesheet that is done within a second');
  await expect(made('<xsl:copy-of select="doc(\'/etc/passwd\')"/>')).rejects.toThrow('Expected no call of doc()');
}
