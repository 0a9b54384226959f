import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from './client.ts';
import type { Peer } from './peer.ts';
import { run } from './tree.ts';

const own = (name: string) => fileURLToPath(new URL(`shiro/${name}`, import.meta.url));
const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies';
const headers = { authorization: `Basic ${btoa('admin:bench')}` };

export const shiro: Peer = {
  name: 'Shiro 2 on Jetty',
  ready: '/whoami',
  async get(downloads) {
    await run({ words: ['java', '-version'] }, downloads);
    const jars = join(downloads, 'jars');
    if (existsSync(jars)) return;
    await mkdir(jars, { recursive: true });
    await run({ words: ['mvn', '-q', '-B', '-f', own('pom.xml'), copy, `-DoutputDirectory=${jars}`] }, downloads);
  },
  command: ({ port, downloads }) => ({
    words: ['java', '-cp', join(downloads, 'jars/*'), own('Login.java'), `${port}`],
  }),
  async fill({ port }) {
    const basic = () => ({ path: '/whoami', headers });
    // The compiler of a JVM is done after so many.
    await load({ port, connections: 8, next: basic, goesOn: (answers) => answers < 30_000 });
    return [{ name: shiro.name, tasks: { basic } }];
  },
};
