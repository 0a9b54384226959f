import {
  careful,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

const kind = oneOf('TOTP', 'PASSKEY');
export type FactorKind = 'TOTP' | 'PASSKEY';
const step = element(string).says('The login that waits, as `POST /session` answered it.');

export const secondFactorDocument = careful(
  document('SecondFactorDocument', {
    id: element(string).outputOnly,
    kind: element(kind).outputOnly.says('TOTP: an app that makes codes.'),
    name: element(string),
    created: element(dateTime).outputOnly,
    used: element(dateTime).outputOnly.says('When it was used last.'),
  }),
);
export type SecondFactor = Value<typeof secondFactorDocument>;

export const secondFactorListDocument = document('SecondFactorListDocument', {
  policy: element(oneOf('off', 'optional', 'administrators', 'all')).required.says('The setting secondFactor.'),
  recoveryCodes: element(integer).required.says('Recovery codes that are left.'),
  factor: list(secondFactorDocument.structure),
});

export const recoveryCodesDocument = document('RecoveryCodesDocument', {
  id: element(string).says('The new factor.'),
  code: list(string).says('Each works once. Only this answer has them.'),
});

export const secondFactorRequestDocument = careful(
  document('SecondFactorRequestDocument', { step, kind: element(kind).required }),
);

export const secondFactorOfferDocument = document('SecondFactorOfferDocument', {
  sealed: element(string).says('TOTP: the secret for `POST`, sealed.'),
  secret: element(string).says('TOTP: the secret for the app.'),
  uri: element(string).says('TOTP: the address that an app reads from a picture.'),
  challenge: element(string).says('PASSKEY: text whose bytes the authenticator signs.'),
  host: element(string).says('PASSKEY: the host name that the passkey is for.'),
  userId: element(string).says('PASSKEY: the id that the authenticator keeps beside the passkey.'),
  userName: element(string),
  algorithm: list(integer).says('PASSKEY: numbers of COSE.'),
  credential: list(string).says('PASSKEY: those that the user has.'),
});
export type SecondFactorOffer = Value<typeof secondFactorOfferDocument>;

const answer = structure('AuthenticatorAnswerType', {
  id: element(string).required.says('Id of the credential. This and all others are base64url.'),
  clientData: element(string).required,
  authenticatorData: element(string).required,
  publicKey: element(string).says('Of a new passkey: SubjectPublicKeyInfo.'),
  algorithm: element(integer),
  signature: element(string).says('Of a login.'),
  userHandle: element(string),
});

export const newSecondFactorDocument = careful(
  document('NewSecondFactorDocument', {
    step,
    name: element(string),
    sealed: element(string),
    code: element(string).says('A code of the app, which shows that it has the secret.'),
    passkey: element(answer),
  }),
);
export type NewSecondFactor = Value<typeof newSecondFactorDocument>;

export const secondStepDocument = document('SecondStepDocument', {
  step: element(string).required.says('Text for the next request. It is over after some minutes.'),
  needs: element(oneOf('second-factor', 'enrolment')).required.says('enrolment: the user must have one, and has none.'),
  kind: list(kind).says('Second factors that the user has.'),
});

export const passkeyRequestDocument = careful(document('PasskeyRequestDocument', { step }));

export const passkeyChallengeDocument = document('PasskeyChallengeDocument', {
  challenge: element(string).says('Absent: the setting passkeyLogin is off, and there was no step.'),
  host: element(string).required,
  credential: list(string).says('Passkeys of the user. None: the authenticator knows its own.'),
});

export const loginAnswerDocument = careful(
  document('LoginAnswerDocument', {
    step,
    code: element(string),
    recoveryCode: element(string),
    passkey: element(answer),
  }),
);
export type LoginAnswerBody = Value<typeof loginAnswerDocument>;
