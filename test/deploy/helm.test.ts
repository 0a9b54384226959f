import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { settingTable } from '../../src/composition/settings.ts';
import { changeable } from '../../src/core/settings/kinds.ts';
import { variableOf } from '../../src/core/settings/read.ts';
import { renderTemplate } from './helm.ts';

type Tree = Readonly<Record<string, unknown>>;
type Objects = Readonly<Record<string, ReturnType<typeof parse>>>;

const folder = 'deploy/helm';
const values = parse(await readFile(`${folder}/values.yaml`, 'utf8'));
const chart = parse(await readFile(`${folder}/Chart.yaml`, 'utf8'));
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const templates = await Promise.all(
  (await readdir(`${folder}/templates`)).map((name) => readFile(`${folder}/templates/${name}`, 'utf8')),
);

/** Objects of an installation by their kinds. */
function installed(changes: Tree = {}): Objects {
  const root = { Release: { Name: 'media' }, Values: { ...values, ...changes } };
  const objects = templates.map((text) => parse(renderTemplate(text, root))).filter((object) => object !== null);
  for (const { apiVersion, metadata } of objects)
    expect([apiVersion, metadata.name]).toEqual([expect.any(String), expect.stringMatching(/^media/)]);
  return Object.fromEntries(objects.map((object) => [object.kind, object]));
}

const containerOf = ({ Deployment }: Objects) => Deployment.spec.template.spec.containers[0];
const variablesOf = (objects: Objects): readonly Tree[] => containerOf(objects).env;

it('the chart and its image have the version of the program', () => {
  expect([chart.version, chart.appVersion, values.image.tag]).toEqual([version, version, version]);
});

it('by itself, the chart is one instance on a file in a volume, which outlives it', () => {
  const objects = installed();
  expect(Object.keys(objects).sort()).toEqual(['Deployment', 'PersistentVolumeClaim', 'Service']);
  const { spec } = objects['Deployment'];
  expect([spec.replicas, spec.strategy.type]).toEqual([1, 'Recreate']);
  const { volumes, terminationGracePeriodSeconds } = spec.template.spec;
  expect(volumes).toEqual([
    { name: 'tmp', emptyDir: {} },
    { name: 'data', persistentVolumeClaim: { claimName: 'media-data' } },
  ]);
  expect(terminationGracePeriodSeconds).toBeGreaterThan(settingTable.stopTimeout.fallback);
  expect(objects['PersistentVolumeClaim'].metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  expect(objects['Service'].spec.selector).toEqual(spec.selector.matchLabels);
  expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
});

it('runs as a user without rights, asks the routes of health, and keeps its limits', () => {
  const container = containerOf(installed());
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(container.readinessProbe).toEqual({
    httpGet: { path: '/health/ready', port: 'http' },
    ...values.probes.readiness,
  });
  expect(container.livenessProbe.httpGet.path).toBe('/health/live');
  expect(container.startupProbe.failureThreshold).toBe(60);
  expect(container.resources).toEqual(values.resources);
  expect(container.image).toBe(`${values.image.repository}:${version}`);
});

it('several instances share a database server, and keep nothing of their own', () => {
  const objects = installed({ replicas: 3, database: { url: 'http://libsql:8080' }, hasDatabaseToken: true });
  expect(Object.keys(objects).sort()).toEqual(['Deployment', 'Service']);
  // New instances are ready before others stop.
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  expect(objects['Deployment'].spec.strategy).toEqual(rolling);
  expect(objects['Deployment'].spec.template.spec.volumes).toContainEqual({ name: 'data', emptyDir: {} });
  expect(variablesOf(objects)).toContainEqual({ name: 'PORTICO_DATABASE', value: 'http://libsql:8080' });
});

it('hears nothing of services beside it: the variables of one named portico would be settings', () => {
  expect(installed()['Deployment'].spec.template.spec.enableServiceLinks).toBe(false);
});

it('is refused with several instances on one file', () => {
  expect(() => installed({ replicas: 2 })).toThrow('Expected database.url where replicas is more than 1');
});

it('has secrets by reference alone, in settings that exist', () => {
  const more = {
    trustedProxies: ['10.0.0.0/8', '::1'],
    outboundAllow: ['minio'],
    settings: { PORTICO_LOG_LEVEL: 'warn' },
  };
  const env = variablesOf(installed({ ...more, database: { url: 'http://libsql' }, hasDatabaseToken: true }));
  const secret = (key: string) => ({ valueFrom: { secretKeyRef: { name: 'portico', key } } });
  expect(Object.fromEntries(env.map(({ name, ...rest }) => [name, rest]))).toEqual({
    PORTICO_SECRET_KEY: secret('secret-key'),
    PORTICO_ADMIN_PASSWORD: secret('admin-password'),
    PORTICO_DATABASE_TOKEN: secret('database-token'),
    PORTICO_DATABASE: { value: 'http://libsql' },
    PORTICO_OUTBOUND_ALLOW: { value: 'minio' },
    PORTICO_TRUSTED_PROXIES: { value: '10.0.0.0/8,::1' },
    PORTICO_LOG_LEVEL: { value: 'warn' },
  });
  const known = new Set(Object.keys(changeable(settingTable)).map(variableOf));
  const named = [...templates, ...Object.keys(more.settings)].join('\n').match(/PORTICO_[A-Z_]+/g)!;
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('mounts a security.ini as it was written, and restarts for another', () => {
  const securityIni = '[main]\n# a "comment" with {{ braces }}\n[urls]\n/** = authcBasic\n';
  const objects = installed({ securityIni });
  expect(objects['ConfigMap'].data).toEqual({ 'security.ini': securityIni });
  expect(containerOf(objects).volumeMounts).toContainEqual({
    name: 'security-ini',
    mountPath: '/data/security.ini',
    subPath: 'security.ini',
    readOnly: true,
  });
  const sumOf = (text: string) => installed({ securityIni: text })['Deployment'].spec.template.metadata.annotations;
  expect(sumOf(securityIni)).not.toEqual(sumOf('[main]\n'));
});

it('has an ingress with TLS where one is asked for', () => {
  const ingress = { ...values.ingress, enabled: true, className: 'nginx', tlsSecret: 'media-tls' };
  const { Ingress } = installed({ ingress });
  expect(Ingress.spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['media.example.com'], secretName: 'media-tls' }],
    rules: [{ host: 'media.example.com', http: { paths: [{ path: '/', backend: { service: { name: 'media' } } }] } }],
  });
  expect(Ingress.metadata.annotations).toEqual(values.ingress.annotations);
});

it('passes on where its pods may run', () => {
  const placed = {
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'media', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    pullSecrets: [{ name: 'registry' }],
  };
  const { pullSecrets: imagePullSecrets, ...others } = placed;
  expect(installed(placed)['Deployment'].spec.template.spec).toMatchObject({ ...others, imagePullSecrets });
});

it.each([
  ['is built for two architectures under the version of the program', '', 0],
  ['is not built of a checkout with changes', ' M src/index.ts', 1],
])('a published image %s', async (_what, changes, status) => {
  const programs = await mkdtemp(join(tmpdir(), 'portico-'));
  onTestFinished(() => rm(programs, { recursive: true }));
  const isStatus = `[ "$1" = status ] && echo '${changes}' || echo 0123abc`;
  await writeFile(join(programs, 'git'), `#!/bin/sh\n${isStatus}\n`, { mode: 0o755 });
  await writeFile(join(programs, 'docker'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
  const { stdout, ...ended } = spawnSync('deploy/publish-image.sh', ['registry.example.com/portico'], {
    encoding: 'utf8',
    env,
  });
  expect(ended.status, ended.stderr).toBe(status);
  const sent = stdout.trim().split('\n');
  if (status !== 0) return expect(sent).toEqual(['']);
  expect(sent.slice(0, 2)).toEqual(['buildx', 'build']);
  expect(sent).toEqual(
    expect.arrayContaining([
      'deploy/Containerfile',
      'linux/amd64,linux/arm64',
      `org.opencontainers.image.version=${version}`,
      'org.opencontainers.image.revision=0123abc',
      `registry.example.com/portico:${version}`,
    ]),
  );
});
