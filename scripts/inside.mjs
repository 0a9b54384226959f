import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that become a part of the programs, as each start loads them: it is faster, and a server has 3 MB less in
 * memory. Their code is the same on all runtimes.
 */
export const inside = ['drizzle-orm', 'jose', '@noble/hashes', 're2js', 'saxes', 'xmlchars'];

/** Packages that become a part of the web page. */
export const inPage = ['@preact/signals', '@preact/signals-core', 'hls.js', 'preact'];

export const isLicence = (name) => /^(?:licen[cs]e|notice)\b/i.test(name);

/** Licences of these packages, for what is given away with their code. */
export function licencesIn(modules) {
  const texts = [...inside, ...inPage].map((name) => {
    const folder = join(modules, name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter(isLicence);
    return [`${name} ${version}: ${license}`, ...files.map((file) => readFileSync(join(folder, file), 'utf8').trim())];
  });
  return `${texts.map((parts) => parts.join('\n\n')).join('\n\n----\n\n')}\n`;
}

/** Rows of the lock file that an installation of the package has, on some system: none that a dependency merely may have. */
export function productionRows(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).filter(([folder, { dev, devOptional }]) => folder !== '' && !dev && !devOptional);
}
