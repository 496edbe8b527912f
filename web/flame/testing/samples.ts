/** Small recordings for the tests of the page that differ, one with times. */
import { picture } from '../../../src/testing/pictures/picture.js';

export const SAMPLE = picture(`
  @thread  main           main           worker  main           main
  @time    10             20             15      40             30
  @count   50             10             20      30             25
           shop.App.main  shop.App.main  run     shop.App.main  shop.App.main
           shop.App.get   shop.App.put   hash    shop.App.get   java.util.HashMap.put
           hash                                  hash           hash
`);
export const OTHER = picture(`
  @count   50             10             20      8              25
           shop.App.main  shop.App.main  run     shop.App.main  shop.App.main
           shop.App.get   shop.App.put   hash    shop.App.get   shop.App.gone
                                                 hash
`);
