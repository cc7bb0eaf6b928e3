import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Counts and adds up for so many seconds, so that the JIT compiles it: java Busy SECONDS */
public class Busy {
    interface Shape {
        double area();
    }

    static final class Circle implements Shape {
        final double radius;

        Circle(double radius) {
            this.radius = radius;
        }

        public double area() {
            return Math.PI * radius * radius;
        }
    }

    static int countWords(Map<String, Integer> counts, int round) {
        for (int i = 0; i < 2000; i++)
            counts.merge("word" + (i * 31 + round) % 500, 1, Integer::sum);
        return counts.size();
    }

    static double areas(int round) {
        return IntStream.range(0, 5000)
                .mapToObj(i -> new Circle(i + round))
                .mapToDouble(Shape::area)
                .sum();
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Map<String, Integer> counts = new TreeMap<>();
        double sum = 0;
        for (int round = 0; System.nanoTime() < end; round++)
            sum += countWords(counts, round) + areas(round);
        System.out.println(sum > 0 ? "done" : "nothing");
    }
}
