/**
 * Built-in configuration, used without a security.ini. It is also the manual of the file, to be printed, copied and
 * edited. `# ` begins an explanation, `#` without a blank a disabled statement.
 */
export const defaultIni = `# security.ini: who may come in, and how they show who they are.
#
# This is the built-in configuration. To change it, put a copy into the instance root, as config/security.ini or
# security.ini, edit it, and look at it with "portico check" before the next start. A file replaces all of this.
#
# How to write it
#   [section]             begins a section. Each section stands once. There are: main, users, roles, urls
#   key = value           one statement. "key: value" and "key value" are the same
#   # text, ; text        a comment, on a line of its own. A value may contain # and ;
#   a line ending in \\    goes on in the next line
#   A key ends at the first blank, = or : in it; with a backslash in front they belong to the key: /a\\:b
#   Order counts: [main] is carried out from top to bottom; in [urls] the first line that matches decides.

[main]
# Objects: "name = class" makes one, "name.property = value" sets a property, "$name" refers to an object defined above.
#   texts       as they are, without quotes. A dollar sign in front is written \\$, an empty text ""
#   numbers     600      yes or no   true, false      durations   90 (seconds), 90s, 5m, 12h, 1d
#   secrets     secret:alias, secret:alias/private_key stand for the value of a secret: PUT /secret/alias/password
#   lists       a, b, "c, with a comma"               maps        key:value, key:value   or   object.map[key] = value

# ----- Realms: who knows users and their passwords ---------------------------------------------------------------

# The users in the database of the service. It always stays: internal requests log in through it.
serviceRealm = com.service.security.auth.DefaultServiceRealm

# A realm that asks an HTTP endpoint of yours: it answers 200 for good credentials and 401 for others.
#httpRealm = portico.HttpRealm
#httpRealm.url = https://people.example.com/login
#httpRealm.form = json
#httpRealm.timeout = 5s
#httpRealm.sharedSecret = replace-this

# A realm that asks an LDAP directory: it finds the user, then binds with the password that was given.
#ldapRealm = portico.LdapRealm
#ldapRealm.url = ldaps://directory.example.com
#ldapRealm.bindDN = cn=reader,dc=example,dc=com
#ldapRealm.bindPassword = replace-this
#ldapRealm.userBase = ou=people,dc=example,dc=com
#ldapRealm.userFilter = (uid={0})
#ldapRealm.groupBase = ou=groups,dc=example,dc=com

# Users that are written in this file, in [users] below, make the realm "iniRealm" by themselves.
# With this matcher their passwords are hashes: $shiro1$, $shiro2$, $argon2id$, $2y$, $scrypt$ or $pbkdf2-sha256$.
# Without [users] and [roles] there is no iniRealm, and nothing can be set on it.
#passwordMatcher = portico.PasswordMatcher
#iniRealm.credentialsMatcher = $passwordMatcher

# A realm of your own: drop its module into the folder "plugins" of the instance root, and name its class or the file.
#   myRealm = file:plugins/my-realm.ts#MyRealm      from where this file lies

# The realms that are asked, in this order. One that accepts is enough. A realm that fails lets nobody in.
securityManager.realms = $serviceRealm
#securityManager.realms = $serviceRealm, $httpRealm, $ldapRealm, $iniRealm

# How the answers of several realms become one:
#   AtLeastOneSuccessfulStrategy   one that accepts is enough; this is what applies without a statement
#   FirstSuccessfulStrategy        the first that accepts decides; with stopAfterFirstSuccess the others are not asked
#   AllSuccessfulStrategy          all must accept
#strategy = org.apache.shiro.authc.pam.FirstSuccessfulStrategy
#strategy.stopAfterFirstSuccess = true
#securityManager.authenticator.authenticationStrategy = $strategy

# ----- Users of other realms become users of the service ---------------------------------------------------------

# After a login through another realm than the service's, create the user or bring it up to date.
# The provider says how the user is called, and which groups and metadata it gets. Bearer tokens never create users.
#userInfo = portico.LdapUserInfoProvider
#userInfo.defaultGroups = _user
#userCreation = com.service.security.auth.UserCreationListener
#userCreation.infoProvider = $userInfo
# Whether a login enables a user who has been disabled; without this such a login fails.
#userCreation.enableUserOnLogin = true
#securityManager.authenticator.authenticationListeners = $userCreation

# ----- Logins of the web page through a provider -----------------------------------------------------------------

# OpenID Connect: Keycloak, Entra ID, Google and others. The login page has a button for each such object.
# The redirect URI at the provider has the name of the object: https://HOST/APInoauth/login/company/callback
# The first login of a person needs the listener above: it makes the user, and its provider gives the groups.
#company = portico.OidcLogin
#company.title = Company
#company.issuer = https://id.example.com/realms/media
#company.clientId = portico
#company.clientSecret = secret:company
# The claim that is the user name (without this line: preferred_username), and the one that lists the groups (groups).
#company.userClaim = preferred_username
#company.groupsClaim = groups
# Whether accounts enter users who are there already: false, provisioned (those whom SCIM brought), true (all).
#company.joinsUsers = provisioned

# ----- Filters: what a request meets, named in the chains of [urls] ----------------------------------------------

# Authorization: token <TOKEN>, with a token of this service. It always stays: internal requests come with tokens.
tokenAuth = com.service.security.auth.TokenAuthenticationFilter

# Authorization: Bearer <TOKEN>, with a token of this service, as identity providers send it: for provisioning (SCIM).
scimAuth = com.service.security.auth.TokenAuthenticationFilter
scimAuth.authzScheme = Bearer
scimAuth.authcScheme = Bearer

# The cookie of the web page, for requests of pages of the same origin: a filter of the class portico.SessionFilter that
# is there without being defined, as the ones below. A file without it has no login for the web page.
#sessionAuth.enabled = false

# Refuses every request.
deny = com.service.security.auth.DenyFilter

# Authorization: Bearer <TOKEN>, with a token of somebody else. It names a user who is there: bearer tokens create none.
# Validated in one of three ways, and never in a mixture. Without any of them only realms of your own know such tokens.
oauth2Auth = com.service.security.auth.BearerAuthenticationFilter
# Whether administrators may read and change its configuration through /configuration/auth. What they store there takes
# the place of the lines below, as a whole. With false it does not count.
oauth2Auth.allowConfigUpdate = true

# The claim that is the user name (without this line: unique_name), and what the claim "aud" must contain.
#oauth2Auth.tokenUser = preferred_username
#oauth2Auth.expectedAudience = portico
# Who signs them (iss). A discovery document tells it by itself.
#oauth2Auth.issuer = https://idp.example.com
# First way: keys and certificates of the issuer, with commas between. PEM without line breaks, or its Base64 alone.
# RSA from 2048 bits on, P-256, P-384, P-521, Ed25519. A certificate counts between its dates.
#oauth2Auth.publicKey = MCowBQYDK2VwAyEA1L77cY77qsvcqitTLzLVI4Q5prFPwtS3W+7quqdmYyw=
# Second way: they are downloaded, from federation metadata (XML), a key set (JSON) or an OpenID discovery document.
#oauth2Auth.federationMetadataURI = https://idp.example.com/.well-known/openid-configuration
#oauth2Auth.federationMetadataInterval = 1d
# Third way: a provider is asked about each token, and its answer is remembered for ten minutes. As a userinfo endpoint;
# with a client, as one for introspection (RFC 7662). It needs no expectedAudience.
#oauth2Auth.validationEndpoint = https://idp.example.com/introspect
#oauth2Auth.clientId = portico
#oauth2Auth.clientSecret = replace-this
# How far clocks may differ, and what a token may say it is (typ).
#oauth2Auth.clockSkew = 60s
#oauth2Auth.tokenTypes = JWT, at+jwt

# These filters are there without being defined. "name.enabled = false" switches one off: everything passes it then.
#   anon                lets everybody pass: a chain of it alone needs no login
#   authcBasic          user name and password, as HTTP basic authentication
#   authcBearer         bearer tokens, for a realm of your own that knows them
#   noSessionCreation   always true here, no filter begins a session: accepted because files have it
#   user                lets known callers pass, whichever filter found out who they are
#   roles[a, b]         lets callers pass who have all of these roles
#   perms[p, q]         lets callers pass who have all of these permissions
#   rest[p]             asks for the permission p:read, p:create, p:update or p:delete, by the method
#   methods[GET, PUT]   lets pass these methods only; without brackets GET and HEAD, so the path is read-only
#   ip                  lets pass what comes from ip.authorizedIps and not from ip.deniedIps
#   port[n], ssl[n]     send the caller to that port, and to https
#   rateLimit           refuses what comes too often from one address or for one account
#   invalidRequest      refuses paths in forms that readers take differently. It stands first in every chain
#   logout              ends nothing, as nothing lasts: sends the caller to logout.redirectUrl

# The application name that a challenge for user name and password tells.
authcBasic.applicationName = serviceRealm

# What invalidRequest refuses with 400. Semicolons carry parameters in this API, and names may be in any language.
invalidRequest.blockSemicolon = false
invalidRequest.blockBackslash = false
invalidRequest.blockNonAscii = false

#ip.authorizedIps = 10.0.0.0/8, 192.168.0.0/16
#rateLimit.requests = 600
#rateLimit.window = 1m
#rateLimit.by = both

# Filters that stand first in every chain, by name.
#filterChainResolver.globalFilters = invalidRequest, rateLimit
# Whether the patterns of [urls] ignore case.
#filterChainResolver.caseInsensitive = false

# ----- Users of this file: password, then roles ------------------------------------------------------------------
#[users]
#alice = "replace-this, with a comma", editor
#bob = replace-this-too, editor, reader

# What these roles permit, for the filters perms and rest.
#[roles]
#editor = item:*, collection:read
#reader = item:read

# ----- Chains: path = filters ------------------------------------------------------------------------------------
# The first line whose pattern matches decides; a path that no line matches is refused.
#   ?   one character        *   anything within one segment        **   any number of segments
# In a segment that may hold any text, such as an external id, a slash is written %2F, as in the log.
# /API/item and /item are the same path. The filters of a line run in their order, and the first that refuses ends it.
# [permissive] lets a request go on that brings no credentials for that filter; credentials that are wrong are refused.
# A line with a filter that logs in lets nobody pass unknown, unless the last one is permissive, too.
[urls]
#/configuration/** = noSessionCreation, ip, sessionAuth[permissive], tokenAuth[permissive], authcBasic
#/old/** = deny
# The web page. It shows nothing without a login, so its files need none. A file without this line has no web page.
/ui/** = anon
/scim/** = noSessionCreation, scimAuth[permissive], tokenAuth[permissive], authcBasic
/** = noSessionCreation, sessionAuth[permissive], tokenAuth[permissive], oauth2Auth[permissive], authcBasic
`;
