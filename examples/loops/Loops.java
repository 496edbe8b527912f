/** A loop, a search, a switch and a call with several receivers: small code whose branches can be counted by hand. */
public class Loops {
    interface Shape {
        int area();
    }

    static class Square implements Shape {
        public int area() {
            return 9;
        }
    }

    static class Strip implements Shape {
        public int area() {
            return 2;
        }
    }

    static int gcd(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    static int find(int[] values, int wanted) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    static String size(int count) {
        switch (count) {
            case 0:
                return "none";
            case 1:
            case 2:
                return "few";
            default:
                return "many";
        }
    }

    static int sum(Shape[] shapes) {
        int sum = 0;
        for (Shape shape : shapes) {
            sum += shape.area();
        }
        return sum;
    }

    public static void main(String[] args) {
        int[] powers = {1, 2, 4, 8, 16, 32};
        for (int i = 0; i < 20; i++) {
            System.out.println(i + " " + gcd(i, 12) + " " + find(powers, i) + " " + size(i));
        }
        System.out.println(sum(new Shape[] {new Square(), new Strip(), new Square()}));
    }
}
