import LRU from 'zrender/lib/core/LRU.js';

/**
 * The drawing library keeps widths of texts in plain objects under the text itself. A text such as `__proto__` or `constructor`,
 * which a data set may bring as a label, an arm or a group, would so lead it to write into the objects that the whole page
 * shares, after which nothing on it works. Such keys are kept apart from what every object has.
 */
const ownKey = (key: string | number): string | number =>
  typeof key === 'string' && key in Object.prototype ? `key ${key}` : key;

type Cache = Pick<LRU<unknown>, 'get' | 'put'>;
const cache: Cache = LRU.prototype;
const { get, put } = cache;

cache.get = function getOwn(this: LRU<unknown>, key) {
  return get.call(this, ownKey(key));
};
cache.put = function putOwn(this: LRU<unknown>, key, value) {
  return put.call(this, ownKey(key), value);
};
