// Which environment variables may hold the key of a model server.
const keyName = /^(?:ASSIZE_\w+|\w+_(?:API_KEY|KEY|TOKEN))$/i;
/** Words in names of secrets that belong to other programs and services than model servers. */
const foreign =
  /(?:^|_)(?:ACCESS|AWS|DEPLOY|DOCKER|ENCRYPTION|GH|GITHUB|GITLAB|KUBE|NODE|NPM|PRIVATE|PYPI|SECRET|SESSION|SIGNING|SSH|VAULT)_/i;

/** Why a variable is not read for a key, or null: only names like a model server's key are, as files come from others. */
export function keyNameProblem(variable: string): string | null {
  const isKey = keyName.test(variable) && (/^ASSIZE_/i.test(variable) || !foreign.test(variable));
  if (isKey) return null;
  return (
    `${variable} is not read as the key of a server; give the key in a variable whose name begins with ASSIZE_ ` +
    'or ends in _API_KEY, _KEY or _TOKEN, and is not another secret (such as AWS_SECRET_ACCESS_KEY or GITHUB_TOKEN)'
  );
}
