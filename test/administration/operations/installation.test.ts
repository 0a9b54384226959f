import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { settingsInForce } from '../../../src/core/settings/read.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { json } from '../../support/ways.ts';

const of = (settings: object, name: string) => settingsInForce(settings).find((each) => each.name === name);

describe('settings in force', () => {
  const flags = new Map([['--port', '9000']]);

  it('says of each value whether a flag, the environment, a default or the program gave it', () => {
    const settings = { ...readSettings({ PORTICO_LOG_LEVEL: 'warn', PORTICO_PORT: '8000' }, flags), site: 'AB' };
    expect(of(settings, 'port')).toMatchObject({ value: '9000', fallback: '8080', source: 'flag' });
    expect(of(settings, 'logLevel')).toMatchObject({ value: 'warn', fallback: 'info', source: 'environment' });
    expect(of(settings, 'host')).toMatchObject({ value: '127.0.0.1', source: 'default' });
    expect(of(settings, 'site')).toMatchObject({ value: 'AB', source: 'program' });
  });

  it('never tells a secret, nor credentials within an address', () => {
    const settings = readSettings({
      PORTICO_ADMIN_PASSWORD: 'open sesame',
      PORTICO_DATABASE_TOKEN: 'open sesame',
      PORTICO_DATABASE: 'libsql://ann:open%20sesame@db.example.org?authToken=sesame',
    });
    expect(JSON.stringify(settingsInForce(settings))).not.toContain('sesame');
    expect(of(settings, 'adminPassword')).toMatchObject({ secret: true, isSet: true, value: undefined });
    expect(of(settings, 'database')).toMatchObject({ value: 'libsql://[redacted]@db.example.org?[redacted]' });
  });
});

describeMatrix('the installation', (entry) => {
  it('tells administrators the settings in force', async () => {
    const world = await entry.open({ settings: { maxBodyBytes: 2_000_000 } });
    const { status, body } = await world.send({ as: admin, request: 'GET /API/setting', headers: json });
    expect(status, body).toBe(200);
    const { setting } = JSON.parse(body) as { setting: { name: string }[] };
    expect(setting.find(({ name }) => name === 'maxBodyBytes')).toMatchObject({
      ...{ flag: '--max-body-bytes', variable: 'PORTICO_MAX_BODY_BYTES', source: 'program' },
      ...{ value: '2000000', default: '1048576', secret: false, isSet: true },
    });
  });

  it('tells administrators the version and the migrations that have run', async () => {
    const world = await entry.open();
    const { status, body } = await world.send({ as: admin, request: 'GET /API/migration', headers: json });
    expect(status, body).toBe(200);
    const { version, migration } = JSON.parse(body) as { version: string; migration: { number: number }[] };
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(migration.length).toBeGreaterThan(0);
    expect(migration).toContainEqual(expect.objectContaining({ number: 1, applied: expect.any(String) }));
  });
});
