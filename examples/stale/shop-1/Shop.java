package shop;

import java.util.List;
import java.util.function.IntUnaryOperator;

/** What the profile was made with. */
public class Shop {
  interface Discount {
    int of(int price);
  }

  static class Members implements Discount {
    public int of(int price) {
      return price > 100 ? 10 : 0; //@members
    }
  }

  static class Season implements Discount {
    public int of(int price) {
      return 5;
    }
  }

  static int total(List<Integer> prices, Discount discount) {
    int sum = 0;
    for (int price : prices) //@prices
      sum += price - discount.of(price); //@discount
    return sum;
  }

  static int shipping(int sum, int items) {
    if (sum > 50) //@free
      return 0;
    return items < 3 ? 4 : 7; //@parcel
  }

  static int rounded(int sum) {
    return apply(value -> value % 10 < 5 ? value - value % 10 : value + 10 - value % 10, sum); //@round
  }

  static int apply(IntUnaryOperator operator, int value) {
    return value < 0 ? 0 : operator.applyAsInt(value); //@apply
  }

  static int checkout(List<Integer> prices, Discount discount) {
    int sum = total(prices, discount); //@total
    sum += shipping(sum, prices.size()); //@shipping
    return rounded(sum); //@rounded
  }

  static boolean isGift(int sum) {
    return sum == 0; //@gift
  }
}
