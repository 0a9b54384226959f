import type { OAuth2Configuration } from '../../src/spi/index.ts';
import { invalidity } from './certificate.ts';
import { type ConfigurationProblem, defaultPolicy, type Policy, readMode } from './configuration.ts';
import { readKeys } from './key-texts.ts';

/** Current problems of a configuration. Empty: it is usable. */
export async function oauth2Problems(
  configuration: OAuth2Configuration,
  now: number,
  policy: Pick<Policy, 'allowPlainText' | 'insecureCertificates'> = defaultPolicy,
): Promise<readonly ConfigurationProblem[]> {
  const problems = [...readMode(configuration, policy).problems];
  for (const element of ['x509Certificate', 'publicKey'] as const) {
    const read = await readKeys(element, configuration[element] ?? []);
    problems.push(...read.problems);
    if (policy.insecureCertificates) continue;
    for (const { name, validity } of read.keys) {
      const problem = validity && invalidity(validity, now);
      if (problem)
        problems.push({ element, explanation: `Expected a certificate that is valid now: ${problem} (${name})` });
    }
  }
  return problems;
}
